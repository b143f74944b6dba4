import type { Chance } from '#bench/kit/random.ts';
import { amountOf, ONE, type Units } from '#lib/values/quantity.ts';
import { type ChaosFamily, PRICE } from './family.ts';
import { changing, type ErrandStep, sale } from './operation.ts';

const HOLDS = '/company/trade/hold';
const WRITE_OFFS = '/company/trade/writeoff';
const TRANSFERS = '/company/trade/transfer';
const COUNTS = '/company/trade/inventory';

/** So many pieces are held at first, and added to a hold. */
const HELD = 1;
export const ADDED = 2;

/** Quantities with which rounding and sums go wrong, if they do. */
const NASTY = [1, 2, 0.5, 3.3333, 0.00000001, 12.00000001, 0.1, 7];

/** Makes a draft of a receipt of a few lines, or of more than fit into one transaction of DynamoDB's. */
export function receipt(scene: ChaosFamily, name: string, chance: Chance): ErrandStep {
  const count = chance.next() < 0.4 ? 70 : chance.between(1, 4);
  const products = chance.some(count > 4 ? scene.products : scene.hot, count).map((product_id) => ({
    product_id,
    quantity: chance.oneOf(NASTY),
    cost: chance.oneOf([0, 0.01, 3333.33, 3000]),
  }));
  const supplier_id = chance.next() < 0.7 ? scene.supplierId : null;
  const json = { stock_id: scene.stockId, supplier_id, currency: 'uzs', products, comment: name };
  return { name, kind: 'new receipt', scene, request: 'POST /company/trade/purchase', json };
}

/** Holds a piece of a product. */
export function newHold(scene: ChaosFamily, name: string, product_id: number, chance: Chance): ErrandStep {
  const goods = { ...chequeOf(scene, chance), products: [{ product_id, quantity: HELD }] };
  const json = { ...goods, stock_id: scene.stockId, full_name: 'Aziza', comment: name };
  return { name, kind: 'new hold', scene, request: `POST ${HOLDS}`, json };
}

/** Adds pieces of another product to a hold. */
export function addToHold(
  scene: ChaosFamily,
  name: string,
  { id, product_id }: { readonly id: number; readonly product_id: number },
  chance: Chance,
): ErrandStep {
  const json = { ...chequeOf(scene, chance), products: [{ product_id, quantity: ADDED }] };
  return changing('addition', scene, name, id, json);
}

/** Sells a whole hold, with what was added to it, for cash. */
export function saleOfHold(
  scene: ChaosFamily,
  name: string,
  { id, isGrown }: { readonly id: number; readonly isGrown: boolean },
  chance: Chance,
): ErrandStep {
  const amount = PRICE * (HELD + (isGrown ? ADDED : 0));
  return sale(scene, name, { hold_id: id, transactions: [{ payment_type: 'cash', amount }] }, chance);
}

/** Writes a little off a line of a receipt. */
export function newWriteOff(
  scene: ChaosFamily,
  name: string,
  receiptId: number,
  line: { readonly id: number; readonly product_id: number },
): ErrandStep {
  const { id: source_product_id, product_id } = line;
  const products = [{ product_id, source_product_id, quantity: 0.0001, reason: 'common_loss' }];
  const json = { source_type: 'purchase', source_id: receiptId, name, products };
  return { name, kind: 'new write-off', scene, request: `POST ${WRITE_OFFS}`, json };
}

/** Sends a product to the other warehouse; how much of it tells which operation it was. */
export function newTransfer(scene: ChaosFamily, name: string, chance: Chance): ErrandStep {
  const products = [{ product_id: chance.oneOf(scene.hot), quantity: quantityOf(name) / ONE }];
  const json = { from_stock_id: scene.stockId, to_stock_id: scene.otherStockId, products };
  const trace = nameOfQuantity(quantityOf(name));
  return { name, kind: 'new transfer', scene, request: `POST ${TRANSFERS}`, json, trace };
}

/** Names the operation that has sent so much, as the table tells it. */
export function nameOfQuantity(quantity: Units): string {
  return `transfer of ${quantity}`;
}

/** Gives a piece, and as many of the smallest units as tell the operation from all others. */
function quantityOf(name: string): Units {
  const [client = 0, number = 0] = name.match(/\d+/g)?.map(Number) ?? [];
  return ONE + client * 100_000 + number;
}

/** Exchanges the first line of a cheque for as much of another product, or twice as much. */
export function exchangeLine(
  scene: ChaosFamily,
  name: string,
  {
    id,
    line,
  }: { readonly id: number; readonly line: { readonly id: number; readonly sold_quantity: number } },
  chance: Chance,
): ErrandStep {
  const times = chance.oneOf([1, 2]);
  const units = Math.round(line.sold_quantity * ONE);
  const due = amountOf(PRICE * 100, units * times) - amountOf(PRICE * 100, units);
  const json = {
    company_id: scene.familyId,
    cashbox_id: chance.oneOf(scene.desks),
    stock_id: scene.stockId,
    currency: 'uzs',
    returned_products: [{ id: line.id, returned_quantity: line.sold_quantity, reason_type: 'size_not_fit' }],
    products: [{ product_id: chance.oneOf(scene.hot), sold_quantity: line.sold_quantity * times }],
    transactions: due > 0 ? [{ payment_type: 'cash', amount: due / 100 }] : [],
    comment: name,
  };
  return { name, kind: 'exchange', scene, request: `POST /company/trade/sale/${id}/exchange`, json };
}

/** Starts a count: of the other warehouse, or at times of a few products where all is sold. */
export function newCount(scene: ChaosFamily, name: string, chance: Chance): ErrandStep {
  const isHere = chance.next() < 0.15;
  const what = isHere ? { type: 'partial', product_ids: chance.some(scene.hot, 2) } : { type: 'full' };
  const json = { stock_id: isHere ? scene.stockId : scene.otherStockId, ...what, comment: name };
  return { name, kind: 'new count', scene, request: `POST ${COUNTS}`, json };
}

/** Counts positions: the first as it is, the next with one more, the next with one less. */
export function counting(
  scene: ChaosFamily,
  name: string,
  id: number,
  positions: readonly { readonly id: number; readonly stock_quantity: number }[],
): ErrandStep {
  const products_tmp = positions.map(({ id: stock_product_id, stock_quantity }, index) => ({
    stock_product_id,
    actual_quantity: Math.max(0, Math.round(stock_quantity + ([0, 1, -1][index % 3] ?? 0))),
  }));
  const request = `PATCH ${COUNTS}/${id}/add-products`;
  // Counting again what was counted changes nothing, so nothing tells how often it was.
  return { name, kind: 'counting', scene, request, json: { products_tmp }, trace: null };
}

function chequeOf({ desks }: ChaosFamily, chance: Chance): object {
  return { cashbox_id: chance.oneOf(desks), cheque: 1 };
}
