import { print } from '../../cli/main.ts';
import { openShop, WATER } from '../goods.ts';
import { type DemoShop, withSpaces } from '../shop.ts';
import type { MonthScene } from './month.ts';

const VAT = { vat_percent: 12 };
const PACK = '4780001006';

/** Amounts that were owed before the first day. */
const OWED_BY_CLIENT = 120_000;
const OWED_TO_SUPPLIER = 500_000;

const DEPOSIT = 300_000;

/** Sets up the shop with VAT, a service, a price list of its own and debts from before. */
export async function openMonth(shop: DemoShop): Promise<MonthScene> {
  const { director } = shop;
  const aziza = await openShop(shop);
  const start = (await director.call(`GET /company/client/client/${aziza}`)).text('created_at').slice(0, 10);
  const supplierId = (await director.call('GET /company/stock/supplier')).number('data.0.id');
  const priceTypeId = await director.make('/company/product/price-type', { name: 'Ulgurji' });
  const serviceId = await addService(shop);
  const jasur = await director.make('/company/client/client', {
    ...{ full_name: 'Jasur Aliyev', main_phone: '998907654322', price_type_id: priceTypeId },
  });
  const scene = { shop, start, aziza, jasur, supplierId, serviceId, priceTypeId };
  await describeWater(scene);
  await enterOldDebts(scene);
  await takeDeposit(scene);
  return scene;
}

async function addService({ director }: DemoShop): Promise<number> {
  const name = { ru: 'раз', uz: 'марта', oz: 'marta' };
  const service_unit_id = await director.make('/company/product/service-unit', { name });
  const service = { name: 'Yetkazib berish', service_unit_id, price: 20_000, cost: 5000, ...VAT };
  print('Delivery is a service: 20 000 with 12 % VAT, it costs the shop 5 000.');
  return director.make('/company/product/service', service);
}

/** Gives water VAT, a wholesale price and packs of six, and scans one. */
async function describeWater({ shop, priceTypeId }: MonthScene): Promise<void> {
  const { director, stock_id } = shop;
  await director.call(`PATCH /company/product/product/${WATER}`, {
    ...{ ...VAT, min_quantity: 60, barcodes: [{ barcode: PACK, quantity: 6, name: 'Blok' }] },
    prices: [{ price_type_id: priceTypeId, price: 3500, currency: 'uzs' }],
  });
  const scan = await director.call(`GET /company/product/scan?code=${PACK}&stock_id=${stock_id}`);
  print(
    `Water has 12 % VAT, too, and costs 3 500 wholesale. The barcode of a pack is scanned: ${scan.text('kind')}, ` +
      `${scan.number('quantity')} bottles for ${withSpaces(scan.number('amount'))}.`,
  );
}

/** Enters the debts of Aziza and to the supplier from before the first day. */
async function enterOldDebts({ shop, start, aziza, supplierId }: MonthScene): Promise<void> {
  const { director } = shop;
  const comment = 'Daftardan';
  const debt = { client_id: aziza, currency: 'uzs', amount: OWED_BY_CLIENT, due_date: start, comment };
  await director.make('/company/client/debt', debt);
  const supplier = `/company/stock/supplier/${supplierId}`;
  await director.call(`PATCH ${supplier}`, { payment_days: 10 });
  const opening = { type: 'opening', currency: 'uzs', amount: OWED_TO_SUPPLIER, comment };
  await director.make(`${supplier}/adjustment`, opening);
  print(
    `From the old books: Aziza owes ${withSpaces(OWED_BY_CLIENT)}, and ${withSpaces(OWED_TO_SUPPLIER)} are owed ` +
      'to the supplier, who waits ten days for money.',
  );
}

async function takeDeposit({ shop, jasur }: MonthScene): Promise<void> {
  const money = { payment_type: 'bank', currency: 'uzs', amount: DEPOSIT };
  const income = { type: 'income', cashbox_id: shop.cashbox_id, ...money };
  await shop.director.make(`/company/client/client/${jasur}/deposit`, income);
  print(`Jasur transfers ${withSpaces(DEPOSIT)} ahead, which the shop keeps as his deposit.`);
}
