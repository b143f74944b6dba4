import { addGoods, setUpShop, takeIn } from '#bench/support/shop.ts';
import { fetchToken, type Person, personOf } from '#bin/cli/person.ts';
import { newTenant } from '#bin/demo/shop.ts';

/** A company family to work on. */
export interface ChaosFamily {
  readonly familyId: number;
  /** The director's. */
  readonly token: string;
  readonly stockId: number;
  /** A second warehouse, which is empty at first. */
  readonly otherStockId: number;
  readonly desks: readonly number[];
  /** True if its company works with shifts: then it has one desk, as nobody has two shifts open. */
  readonly hasShifts: boolean;
  /** Few, so that calls meet. */
  readonly hot: readonly number[];
  /** All, for receipts of many lines. */
  readonly products: readonly number[];
  readonly bundles: readonly number[];
  /** Goods of which each piece has a mark. */
  readonly marked: number;
  readonly clientId: number;
  readonly supplierId: number;
  /** An item of income and one of expense. */
  readonly reasons: Readonly<Record<'income' | 'outcome', number>>;
}

/** The price of a bundle, in sums. */
export const BUNDLE_PRICE = 55_000;

const HOT = 8;

/** Two bundles on one cheque have more lines than fit into one transaction of DynamoDB's. */
const BUNDLED = 55;

/** Makes a family with goods to sell, over HTTP; if its company works with shifts, with an open one. */
export async function newChaosFamily(address: string, hasShifts: boolean): Promise<ChaosFamily> {
  const { companyId, names, password } = await newTenant(address);
  const token = await fetchToken(address, names.director, password);
  const client = personOf(address, token);
  const shop = await setUpShop(client, { products: HOT + 2 * BUNDLED, desks: hasShifts ? 1 : 3 });
  const { stock, desks, products } = shop;
  const marked = await addGoods(client, shop, 'Sigaretalar', { is_marked: true });
  await takeIn(client, shop, [marked], 10_000);
  const first = await newBundle(client, products.slice(HOT, HOT + BUNDLED));
  const second = await newBundle(client, products.slice(HOT + BUNDLED));
  if (hasShifts) {
    const json = { cashbox_shift_settings: { is_enabled: true } };
    await client.call('PUT /company/company/settings', json);
    await client.make('/company/trade/cashbox-shift', { cashbox_id: desks[0], stock_id: stock });
  }
  return {
    hasShifts,
    familyId: companyId,
    token,
    stockId: stock,
    otherStockId: await client.make('/company/stock/stock', { name: 'Other' }),
    desks,
    hot: products.slice(0, HOT),
    products,
    bundles: [first, second],
    marked,
    clientId: await client.make('/company/client/client', {
      full_name: 'Aziza Karimova',
      main_phone: '998907654321',
    }),
    supplierId: await client.make('/company/stock/supplier', { name: 'Ulgurji' }),
    reasons: {
      income: await client.make('/company/cashbox/reason', { type: 'income', name: 'Vznos' }),
      outcome: await client.make('/company/cashbox/reason', { type: 'outcome', name: 'Arenda' }),
    },
  };
}

function newBundle(client: Person, productIds: readonly number[]): Promise<number> {
  const products = productIds.map((product_id) => ({ product_id, quantity: 1 }));
  return client.make('/company/product/bundle', {
    name: `Bundle of ${productIds[0]}`,
    price: BUNDLE_PRICE,
    products,
  });
}
