import { WORKBOOK_TYPE, writeWorkbook } from '#lib/files/workbooks.ts';
import { print } from '../cli/main.ts';
import { receiveDelivery } from '../cli/trade.ts';
import { type DemoShop, withSpaces } from './shop.ts';

/** Products of the price list by id. */
export const WATER = 1;
export const TEA = 2;

const HEADER = ['Name', 'Category', 'Brand', 'Unit', 'Barcode', 'PLU', 'Price', 'Currency', 'Description'];

const PRICE_LIST = [
  ['Suv 1,5 l', 'Ichimliklar', 'Hydrolife', 'shisha', '4780001', '', 4000, 'uzs', ''],
  ['Choy, koʻk', 'Choy', 'Akbar', 'kilo', '4780002', '', 60_000, 'uzs', ''],
];

/** Sets up the catalogue, receives goods and creates a client; returns the client's id. */
export async function openShop({ director, stock_id }: DemoShop): Promise<number> {
  const inThree = (ru: string, uz: string, oz: string) => ({ name: { ru, uz, oz } });
  await director.make('/company/product/category', inThree('Напитки', 'Ичимликлар', 'Ichimliklar'));
  await director.make('/company/product/category', inThree('Чай', 'Чой', 'Choy'));
  await director.make('/company/product/unit', { ...inThree('бутылка', 'шиша', 'shisha'), accuracy: 0 });
  await director.make('/company/product/unit', { ...inThree('кило', 'кило', 'kilo'), accuracy: 3 });
  for (const name of ['Hydrolife', 'Akbar']) {
    await director.make('/company/product/brand', { name, image_old_keys: '[]' });
  }
  print('He sets up two categories, two units and two brands, beside a warehouse and a cash desk.');

  const workbook = await writeWorkbook('Products', HEADER, PRICE_LIST);
  const form = new FormData();
  form.append('file', new File([Buffer.from(workbook)], 'products.xlsx', { type: WORKBOOK_TYPE }));
  await director.call('POST /company/product/product/import', form);
  print('His price list comes from an Excel file: water at 4 000 a bottle, green tea at 60 000 a kilo.');

  const water = { product_id: WATER, quantity: 100, cost: 2500 };
  const tea = { product_id: TEA, quantity: 20.5, cost: 42_000 };
  const supplier_id = await director.make('/company/stock/supplier', { name: 'Ulgurji' });
  await receiveDelivery(director, { stock_id, supplier_id, products: [water, tea] });
  print('Goods arrive: 100 bottles of water, 20.5 kilos of tea. They are owed to the supplier.');
  const aziza = { full_name: 'Aziza Karimova', main_phone: '998907654321' };
  return director.make('/company/client/client', aziza);
}

/** Takes stock of the warehouse: a bottle is missing, and tea exceeds the books. */
export async function takeStock({ director, stock_id, failToSell }: DemoShop): Promise<void> {
  const path = '/company/trade/inventory';
  const count = `${path}/${await director.make(path, { stock_id, type: 'full' })}`;
  const refused = await failToSell(400, [[WATER, 1]], { cash: 4000 });
  print(`The director takes stock of the warehouse. Until that is completed nothing is sold: ${refused}`);

  const stockLevels = await director.call(`GET /company/stock/product?filter[stock_id]=${stock_id}`);
  const products_tmp = stockLevels.rows().map((row) => ({
    stock_product_id: row.number('id'),
    actual_quantity: row.number('quantity') + (row.number('product_id') === TEA ? 0.25 : -1),
  }));
  await director.call(`PATCH ${count}/add-products`, { products_tmp });
  await director.call(`PATCH ${count}/complete`);
  const counted = await director.call(`GET ${count}`);
  const worth = (side: string) => withSpaces(counted.number(`amounts_diff_${side}.uzs`));
  print(
    `${counted.number('quantity_diff_above')} kilos of tea more than in the books became a goods receipt of ` +
      `${worth('above')}, ${counted.number('quantity_diff_below')} bottle less a write-off of ` +
      `${worth('below')}; now the books match the stock.`,
  );
}

/** Reprices the tea and sells 100 grams at the new price. */
export async function raisePrice({ companyId, director, sell }: DemoShop): Promise<void> {
  const products = [{ product_id: TEA, sale_price: 66_000, sale_currency: 'uzs' }];
  await director.make('/company/trade/recalculation-batch', { company_id: companyId, products });
  const price = (await director.call(`GET /company/product/product/${TEA}`)).number('sale_price');
  await sell([[TEA, 0.1]], { card: 6600 });
  print(`Tea has become dearer: a kilo is sold at ${withSpaces(price)}, 100 grams at 6 600.`);
}
