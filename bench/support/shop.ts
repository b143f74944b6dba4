import type { Person } from '#bin/cli/person.ts';
import { receiveDelivery, saleAt } from '#bin/cli/trade.ts';

/** A warehouse full of goods, and desks to sell them at. */
export interface BenchShop {
  readonly stock: number;
  readonly desks: readonly number[];
  readonly products: readonly number[];
  /** Records that every product card refers to. */
  readonly card: { readonly category_id: number; readonly unit_id: number; readonly brand_id: number };
}

/** Number of products, pieces of each, and desks. */
export interface Assortment {
  readonly products: number;
  readonly desks: number;
  readonly pieces?: number;
}

/** Price of every product, in sums. */
export const PRICE = 5000;

/** Cost of a piece. */
export const COST = 3000;
const MANY = 10_000;

/** Sets up a shop over HTTP, in a family that may have others. */
export async function setUpShop(
  client: Person,
  { products, desks, pieces = MANY }: Assortment,
): Promise<BenchShop> {
  const stock = await client.make('/company/stock/stock', { name: `Bench ${Date.now()}` });
  const name = `Bench ${stock}`;
  const text = (what: string) => ({ ru: what, uz: what, oz: what });
  const card = {
    category_id: await client.make('/company/product/category', { name: text(name) }),
    unit_id: await client.make('/company/product/unit', { name: text(name), accuracy: 0 }),
    brand_id: await client.make('/company/product/brand', { name, image_old_keys: '[]' }),
  };
  const shop = {
    card,
    stock,
    desks: await addDesks(client, name, desks),
    products: await inTurn(products, (index) => addGoods(client, { card }, `${name}, goods ${index}`)),
  };
  await takeIn(client, shop, shop.products, pieces);
  return shop;
}

/** Creates this many sale desks. */
export function addDesks(client: Person, name: string, count: number): Promise<number[]> {
  return inTurn(count, (index) =>
    client.make('/company/cashbox/cashbox', { name: `${name}, ${index}`, type: 'sale' }),
  );
}

/** Creates a product without stock. */
export function addGoods(
  client: Person,
  { card }: Pick<BenchShop, 'card'>,
  name: string,
  given: object = {},
): Promise<number> {
  const price = { sale_price: PRICE, sale_currency: 'uzs' };
  return client.make('/company/product/product', { ...card, ...price, name, barcode: name, ...given });
}

/** Receives pieces of each product. */
export async function takeIn(
  client: Person,
  { stock }: BenchShop,
  products: readonly number[],
  quantity: number,
): Promise<void> {
  const lines = products.map((product_id) => ({ product_id, quantity, cost: COST }));
  await receiveDelivery(client, { stock_id: stock, products: lines });
}

/** Builds the body of a sale of one piece of each product for cash. */
export function saleBodyOf({ stock }: BenchShop, cashbox_id: number, products: readonly number[]): object {
  const goods = products.map((product_id) => [product_id, 1] as const);
  return saleAt({ cashbox_id, stock_id: stock }, goods, { cash: PRICE * products.length });
}

async function inTurn<T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < count; index++) results.push(await work(index));
  return results;
}
