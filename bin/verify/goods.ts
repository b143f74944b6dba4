import * as z from 'zod';
import { vouched } from '#lib/records/stored.ts';
import { Balance, balanceKey, STOCK_PRODUCT } from '#lib/stock/balance.ts';
import { type Movement, movementsOf, PAGE } from '#lib/stock/movement.ts';
import { partition } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { walk } from '#lib/table/read/walk.ts';
import { type Audit, itemsAt } from './audit.ts';
import { batchFaults, chainFaults, heldFaults } from './balance-faults.ts';
import { heldLine, movementName, partsText } from './posts.ts';
import { addTo } from './sums.ts';

type Move = z.input<typeof Movement>;

/** A row that names a balance. */
const Row = z.object({ id: z.int(), stock_id: z.int(), product_id: z.int() });

/** Balances that are read at the same time. */
const STEP = 50;

/** Checks every balance by itself, and posts its movements. */
export async function checkGoods(audit: Audit): Promise<void> {
  const seen = new Map<string, number>();
  for await (const items of walk(partition(STOCK_PRODUCT, audit.home), STEP)) {
    const rows = items.map((item) => Row.parse(item));
    const found = await getItems(
      rows.map(({ stock_id, product_id }) => balanceKey(audit.home, stock_id, product_id)),
    );
    await Promise.all(rows.map((row, index) => checkRow(audit, row, found[index], seen)));
  }
}

async function checkRow(
  audit: Audit,
  row: z.output<typeof Row>,
  item: unknown,
  seen: Map<string, number>,
): Promise<void> {
  const { id, stock_id, product_id } = row;
  const key = balanceKey(audit.home, stock_id, product_id);
  const subject = `balance ${id} of product ${product_id} in warehouse ${stock_id}`;
  const report = (what: string, moves: readonly Move[] = []) =>
    audit.violations.push({
      book: 'goods',
      subject,
      what,
      history: async () => [...(await itemsAt(key)()), ...moves],
    });
  addTo(audit.counts, 'balances', 1);
  const address = `${stock_id}#${product_id}`;
  const other = seen.get(address);
  seen.set(address, id);
  if (other !== undefined) return void report(`is listed twice, also as ${other}`);
  if (item === undefined) return void report('is listed but does not exist');
  const balance = vouched(Balance, item);
  if (balance.id !== id) report(`calls itself ${balance.id}`);
  const total = balance.pages * PAGE + balance.recent.length;
  const moves = await movementsOf(audit.home, balance, { from: 0, to: total });
  if (moves.length !== total) report(`has ${moves.length} movements, but says ${total}`, moves);
  for (const fault of [...chainFaults(balance, moves), ...batchFaults(balance, moves)]) report(fault, moves);
  for (const fault of heldFaults(balance, moves)) report(fault, moves);
  for (const move of moves.filter(isOfHold))
    addTo(audit.held, heldLine(move.document_id, move.line_id, stock_id), -move.quantity);
  // A movement that only shifts goods from batch to batch belongs to no line.
  for (const move of moves.filter((each) => each.quantity !== 0 && !isOfHold(each))) {
    const line = { document: move.document_type, id: move.document_id, line: move.line_id };
    const name = movementName(line, stock_id, move.quantity);
    const post = { stockId: stock_id, productId: product_id, quantity: move.quantity };
    const isNew = audit.movements.post(name, { ...post, parts: partsText(move.batches) });
    if (!isNew) report(`was moved twice by ${name}`, moves);
  }
  addTo(audit.counts, 'movements', moves.length);
  addTo(audit.counts, 'batches', balance.batches.length);
}

function isOfHold({ document_type }: Move): boolean {
  return document_type === 'hold';
}
