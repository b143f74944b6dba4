import type { Reply } from '#bin/cli/person.ts';
import { ONE, type Units } from '#lib/values/quantity.ts';
import { type ClientTask, createRecord, linesAt, nextStep, openWarehouses } from './client-task.ts';
import { changing, posting, type Task, type TaskStep } from './operation.ts';

const RECEIPTS = '/company/trade/purchase';
const TRANSFERS = '/company/trade/transfer';
const COUNTS = '/company/trade/inventory';

/** Quantities prone to errors of rounding and summing. */
const NASTY = [1, 2, 0.5, 3.3333, 0.00000001, 12.00000001, 0.1, 7];

/** Share of transfers with more than a hundred lines. */
const MUCH = 0.1;

/** Share of goods documents that are canceled. */
const CANCELED = 0.15;

/** Share of goods receipts whose costs are corrected. */
const CORRECTED = 0.3;

/** Share of transfers of which something does not arrive. */
const SHORT = 0.25;

/** Creates and completes a goods receipt, and at times writes a little of it off, or cancels one of both. */
export async function receiveSome(errand: ClientTask): Promise<void> {
  const { chance, run } = errand;
  const id = await createRecord(errand, draftGoodsReceipt(errand));
  if (id === undefined) return;
  const cancel = changing('receipt cancel', nextStep(errand, 'cancel'), id);
  if (chance.next() < CANCELED) {
    await run(cancel);
    return;
  }
  const { outcome } = await run(changing('receipt', nextStep(errand, 'complete'), id));
  if (outcome !== 'done') return;
  if (chance.next() < CORRECTED) await correctCosts(errand, id);
  // Other clients may have sold some of it by now.
  const fate = chance.next();
  if (fate < CANCELED) await run(cancel);
  else if (fate < 0.6) await loseSome(errand, id);
}

/** Corrects the costs of some lines of a goods receipt, of which some may be held or sent by now. */
async function correctCosts(errand: ClientTask, id: number): Promise<void> {
  const { scene, chance, run } = errand;
  const { name } = nextStep(errand, 'cost');
  const lines = (await linesAt(errand, `${RECEIPTS}/${id}`)).slice(0, chance.between(1, 3));
  if (lines.length === 0) return;
  const products = lines.map((line) => ({ id: line.number('id'), cost: chance.oneOf([0, 0.05, 2999.99]) }));
  const request = `PATCH ${RECEIPTS}/${id}/correct-cost`;
  await run({ name, kind: 'cost correction', scene, request, json: { products, comment: name } });
}

/** Writes off a little of a goods receipt, and at times cancels the write-off. */
async function loseSome(errand: ClientTask, id: number): Promise<void> {
  const { chance, run } = errand;
  const [line] = await linesAt(errand, `${RECEIPTS}/${id}`);
  if (!line) return;
  const lost = await createRecord(errand, newWriteOff(nextStep(errand, 'loss'), id, line));
  if (lost === undefined) return;
  await run(changing('write-off', nextStep(errand, 'loss-complete'), lost));
  if (chance.next() < CANCELED)
    await run(changing('write-off cancel', nextStep(errand, 'loss-cancel'), lost));
}

/** Sends goods to the other warehouse, where most arrive, at times a part of a line alone. */
export async function sendSome(errand: ClientTask): Promise<void> {
  const id = await createRecord(errand, newTransfer(errand));
  if (id === undefined) return;
  const end = errand.chance.next() < 0.8 ? 'arrival' : 'way back';
  const isShort = end === 'arrival' && errand.chance.next() < SHORT;
  const [line] = isShort ? await linesAt(errand, `${TRANSFERS}/${id}`) : [];
  await errand.run(
    changing(end, nextStep(errand, 'end'), id, line && { products: [shortLine(errand, line)] }),
  );
}

/** Returns a line of a transfer of which half a piece arrives. */
function shortLine({ chance }: Task, line: Reply) {
  return { id: line.number('id'), quantity: 0.5, missing: chance.oneOf(['returned', 'lost']) };
}

/** Runs a stocktake. In any case it leaves the warehouse open for other clients. */
export async function countSome(errand: ClientTask): Promise<void> {
  const { chance, run } = errand;
  const { outcome, ids } = await run(newCount(errand));
  if (outcome === 'refused') return;
  const [id] = ids;
  if (outcome === 'done' && id !== undefined) {
    const positions = await linesAt(errand, `${COUNTS}/${id}`);
    const counted = positions.length > 0 && (await run(counting(nextStep(errand, 'add'), id, positions)));
    const isWanted = chance.next() < 0.8 && counted && counted.outcome === 'done';
    if (isWanted && (await run(changing('count', nextStep(errand, 'complete'), id))).outcome === 'done')
      return;
    // Any client that finds a warehouse closed cancels its stocktakes, so a cancel can't be traced to one
    // task.
    await run({ ...changing('count cancel', nextStep(errand, 'cancel'), id), trace: null });
  }
  await openWarehouses(errand);
}

/**
 * Returns a draft of a goods receipt with a few lines, or with more than fit into one transaction of
 * DynamoDB's.
 */
export function draftGoodsReceipt(task: Task): TaskStep {
  const { scene, chance } = task;
  const count = chance.next() < 0.4 ? 70 : chance.between(1, 4);
  const products = chance.some(count > 4 ? scene.products : scene.hot, count).map((product_id) => ({
    product_id,
    quantity: chance.oneOf(NASTY),
    cost: chance.oneOf([0, 0.01, 3333.33, 3000]),
  }));
  const supplier_id = chance.next() < 0.7 ? scene.supplierId : null;
  const json = { stock_id: scene.stockId, supplier_id, currency: 'uzs', products };
  return posting('new receipt', task, RECEIPTS, json);
}

/** Returns a write-off of a little of a goods receipt's line. */
function newWriteOff({ scene, name }: Task, source_id: number, line: Reply): TaskStep {
  const source = { product_id: line.number('product_id'), source_product_id: line.number('id') };
  const products = [{ ...source, quantity: 0.0001, reason: 'common_loss' }];
  const json = { source_type: 'purchase', source_id, name, products };
  return { name, kind: 'new write-off', scene, request: 'POST /company/trade/writeoff', json };
}

/**
 * Returns a transfer of a product to the other warehouse; its quantity identifies the operation. At times it
 * includes a piece of more products than fit into one transaction of DynamoDB's.
 */
function newTransfer({ scene, name, chance }: Task): TaskStep {
  const others = chance.next() < MUCH ? scene.products.slice(scene.hot.length) : [];
  const products = [
    { product_id: chance.oneOf(scene.hot), quantity: quantityOf(name) / ONE },
    ...others.map((product_id) => ({ product_id, quantity: 1 })),
  ];
  const json = { from_stock_id: scene.stockId, to_stock_id: scene.otherStockId, products };
  const trace = nameOfQuantity(quantityOf(name));
  return { name, kind: 'new transfer', scene, request: `POST ${TRANSFERS}`, json, trace };
}

/** Returns the name of the operation that sent this quantity, as read from the table. */
export function nameOfQuantity(quantity: Units): string {
  return `transfer of ${quantity}`;
}

/** Returns a piece, plus as many of the smallest units as make the quantity unique to the operation. */
function quantityOf(name: string): Units {
  const [client = 0, number = 0] = name.match(/\d+/g)?.map(Number) ?? [];
  return ONE + client * 100_000 + number;
}

/** Starts a stocktake: of the other warehouse, or at times of a few products in the sales warehouse. */
function newCount(task: Task): TaskStep {
  const { scene, chance } = task;
  const isHere = chance.next() < 0.15;
  const what = isHere ? { type: 'partial', product_ids: chance.some(scene.hot, 2) } : { type: 'full' };
  const stock_id = isHere ? scene.stockId : scene.otherStockId;
  return posting('new count', task, COUNTS, { stock_id, ...what });
}

/** Counts positions: the first unchanged, the next with one more, the next with one less. */
function counting({ scene, name }: Task, id: number, positions: readonly Reply[]): TaskStep {
  const products_tmp = positions.map((line, index) => {
    const found = Math.round(line.number('stock_quantity') + ([0, 1, -1][index % 3] ?? 0));
    return { stock_product_id: line.number('id'), actual_quantity: Math.max(0, found) };
  });
  const request = `PATCH ${COUNTS}/${id}/add-products`;
  // Counting again changes nothing, so the number of executions leaves no trace.
  return { name, kind: 'counting', scene, request, json: { products_tmp }, trace: null };
}
