import { addGoods, type BenchShop, COST, setUpShop, takeIn } from '#bench/support/shop.ts';
import { fetchToken, type Person, personOf } from '#bin/cli/person.ts';
import { receiveDelivery } from '#bin/cli/trade.ts';
import { newTenant } from '#bin/demo/shop.ts';

/** Company family of a run. */
export interface ChaosFamily {
  readonly familyId: number;
  /** Token of the director. */
  readonly token: string;
  readonly stockId: number;
  /** Second warehouse, initially empty. */
  readonly otherStockId: number;
  readonly desks: readonly number[];
  /** True if its company works with shifts: then it has one desk, as a user has one open shift at most. */
  readonly hasShifts: boolean;
  /** Token of an administrator of the platform, who keeps the family's tariff. */
  readonly administrator: string;
  /** Headers of a credit system that sells for its company. */
  readonly creditSystem: Readonly<Record<string, string>>;
  /** Desk that moves between two branches, beside `desks`. */
  readonly mobile: { readonly deskId: number; readonly name: string; readonly branches: readonly number[] };
  /** Few, so that calls contend for them. */
  readonly hot: readonly number[];
  /** All, for goods receipts of many lines. */
  readonly products: readonly number[];
  readonly bundles: readonly number[];
  /** Goods with a tracking code on each piece. */
  readonly marked: number;
  readonly clientId: number;
  /** Client who earns bonuses. */
  readonly loyalId: number;
  /** Client with a debt limit, in sums. */
  readonly limited: { readonly clientId: number; readonly max: number };
  /** Clients with deposits; few, so that calls contend for these. */
  readonly savers: readonly number[];
  /** Client with opening debts. */
  readonly debtorId: number;
  /** Service with VAT. */
  readonly serviceId: number;
  /** Goods that are never sold, only moved between two warehouses of their own and held there. */
  readonly steady: {
    readonly productId: number;
    readonly stocks: readonly number[];
    readonly pieces: number;
  };
  /** Goods whose prices change. */
  readonly priced: readonly { readonly id: number; readonly external_id: string }[];
  /** Price type of these goods. */
  readonly priceTypeId: number;
  /** Records that every product card refers to. */
  readonly card: BenchShop['card'];
  readonly supplierId: number;
  /** Reason of income and reason of expense. */
  readonly reasons: Readonly<Record<'income' | 'outcome', number>>;
}

/** Price of a bundle, in sums. */
export const BUNDLE_PRICE = 55_000;

/** Price of the service, in sums. */
export const SERVICE_PRICE = 7000;

const HOT = 8;

/** Goods of the hot ones that have a VAT rate. */
const TAXED = 4;

const VAT = { vat_percent: 12 };

/** Few, so that several clients change their prices at once. */
const PRICED = ['narx-1', 'narx-2'];

const LIMIT = 30_000;

const STEADY_PIECES = 1000;
const PRICED_PIECES = 10_000;

/** Two bundles in one sale have more lines than fit into one transaction of DynamoDB's. */
const BUNDLED = 55;

/** Creates a family with goods to sell, over HTTP; if its company works with shifts, with an open one. */
export async function newChaosFamily(address: string, hasShifts: boolean): Promise<ChaosFamily> {
  const { companyId, names, password, admin } = await newTenant(address);
  const token = await fetchToken(address, names.director, password);
  const client = personOf(address, token);
  const shop = await setUpShop(client, { products: HOT + 2 * BUNDLED, desks: hasShifts ? 1 : 3 });
  const { stock, desks, products } = shop;
  const marked = await addGoods(client, shop, 'Sigaretalar', { is_marked: true });
  await takeIn(client, shop, [marked], 10_000);
  const first = await newBundle(client, products.slice(HOT, HOT + BUNDLED));
  const second = await newBundle(client, products.slice(HOT + BUNDLED));
  for (const id of products.slice(0, TAXED)) await client.call(`PATCH /company/product/product/${id}`, VAT);
  if (hasShifts) {
    const json = { cashbox_shift_settings: { is_enabled: true } };
    await client.call('PUT /company/company/settings', json);
    await client.make('/company/trade/cashbox-shift', { cashbox_id: desks[0], stock_id: stock });
  }
  return {
    hasShifts,
    familyId: companyId,
    administrator: await newSubscription(address, companyId),
    creditSystem: await newCreditSystem(admin, companyId),
    mobile: await newMobileDesk(admin, client, companyId),
    token,
    stockId: stock,
    otherStockId: await client.make('/company/stock/stock', { name: 'Other' }),
    desks,
    hot: products.slice(0, HOT),
    products,
    bundles: [first, second],
    marked,
    ...(await newClients(client)),
    steady: await newSteady(client, shop),
    priced: await newPriced(client, shop),
    priceTypeId: await client.make('/company/product/price-type', { name: 'Ulgurji' }),
    serviceId: await newService(client),
    card: shop.card,
    supplierId: await client.make('/company/stock/supplier', { name: 'Ulgurji' }),
    reasons: {
      income: await client.make('/company/cashbox/reason', { type: 'income', name: 'Vznos' }),
      outcome: await client.make('/company/cashbox/reason', { type: 'outcome', name: 'Arenda' }),
    },
  };
}

/** Gives a family a tariff with enough money for the run; returns the administrator's token. */
async function newSubscription(address: string, companyId: number): Promise<string> {
  const token = await fetchToken(address, 'admin');
  const admin = personOf(address, token);
  const terms = { billing_period: 'monthly', trial_ends_at: null, grace_days: 365 };
  const prices = { main: 100_000, branch: 40_000 };
  await admin.call(`PUT /admin/billing/tariff/${companyId}`, { ...terms, prices });
  return token;
}

async function newCreditSystem(admin: Person, companyId: number): Promise<ChaosFamily['creditSystem']> {
  const form = { kind: 'external', name: 'Bank', company_ids: [companyId] };
  const made = await admin.call('POST /admin/system/external-key', form);
  const company = await admin.call(`GET /admin/company/company/${companyId}`);
  return {
    'External-System-Secret-Key': made.text('key'),
    'Company-Primary-Uuid': company.text('primary_uuid'),
  };
}

async function newMobileDesk(
  admin: Person,
  client: Person,
  parent_id: number,
): Promise<ChaosFamily['mobile']> {
  const branches: number[] = [];
  for (const name of ['Chilonzor', 'Yunusobod']) {
    branches.push(await admin.make('/admin/company/company', { name, parent_id }));
  }
  const name = 'Mobile';
  const form = { name, type: 'sale', company_id: branches[0] };
  return { name, branches, deskId: await client.make('/company/cashbox/cashbox', form) };
}

function newBundle(client: Person, productIds: readonly number[]): Promise<number> {
  const products = productIds.map((product_id) => ({ product_id, quantity: 1 }));
  return client.make('/company/product/bundle', {
    name: `Bundle of ${productIds[0]}`,
    price: BUNDLE_PRICE,
    products,
  });
}

async function newClients(client: Person) {
  const add = (full_name: string, main_phone: string, given: object = {}) =>
    client.make('/company/client/client', { full_name, main_phone, ...given });
  const tariff = { name: 'Doimiy', percent: 5 };
  const bonus_tariff_id = await client.make('/company/client/bonus-tariff', tariff);
  return {
    clientId: await add('Aziza Karimova', '998907654321'),
    loyalId: await add('Dilshod Yusupov', '998907654322', { bonus_tariff_id }),
    limited: {
      clientId: await add('Nodira Rahimova', '998907654323', { debt_limits: { uzs: LIMIT } }),
      max: LIMIT,
    },
    savers: [await add('Karim Azimov', '998907654324'), await add('Lola Umarova', '998907654325')],
    debtorId: await add('Anvar Sobirov', '998907654326'),
  };
}

async function newService(client: Person): Promise<number> {
  const name = { ru: 'раз', uz: 'marta', oz: 'марта' };
  const service_unit_id = await client.make('/company/product/service-unit', { name });
  const card = { name: 'Yetkazish', service_unit_id, price: SERVICE_PRICE, cost: 1500.5, ...VAT };
  return client.make('/company/product/service', card);
}

async function newSteady(client: Person, { card }: BenchShop): Promise<ChaosFamily['steady']> {
  const add = (name: string) => client.make('/company/stock/stock', { name });
  const stocks = [await add('Steady 1'), await add('Steady 2')];
  const productId = await addGoods(client, { card }, 'Sovutgich');
  const lines = [{ product_id: productId, quantity: STEADY_PIECES, cost: COST }];
  for (const stock_id of stocks) await receiveDelivery(client, { stock_id, products: lines });
  return { productId, stocks, pieces: STEADY_PIECES * stocks.length };
}

async function newPriced(client: Person, shop: BenchShop): Promise<ChaosFamily['priced']> {
  const priced: ChaosFamily['priced'][number][] = [];
  for (const external_id of PRICED) {
    priced.push({ external_id, id: await addGoods(client, shop, external_id, { external_id }) });
  }
  await takeIn(
    client,
    shop,
    priced.map(({ id }) => id),
    PRICED_PIECES,
  );
  return priced;
}
