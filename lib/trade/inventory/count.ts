import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import { getDocument } from '#lib/records/documents.ts';
import { vouched } from '#lib/records/stored.ts';
import { Balance, balanceKey, MOST_PIECES, STOCK_PRODUCT } from '#lib/stock/balance.ts';
import type { Origin } from '#lib/stock/batch.ts';
import { lastCostsIn } from '#lib/stock/last-cost.ts';
import { allWarehouses } from '#lib/stock/warehouse.ts';
import { equals } from '#lib/table/expression.ts';
import { type Place, recordKey } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/reads.ts';
import { nextId } from '#lib/table/sequences.ts';
import { bytesOf } from '#lib/table/size.ts';
import { giveBack, takeUnder } from '#lib/table/transaction/standing.ts';
import { retryOnContention } from '#lib/table/transaction/transact.ts';
import type { Write } from '#lib/table/transaction/write.ts';
import { BATCH } from '#lib/trade/receipt/record.ts';
import { distinct, Id } from '#lib/values/fields.ts';
import { MOST_AMOUNT } from '#lib/values/money.ts';
import { Problems } from '#lib/values/problems.ts';
import { quantity } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';
import { kindsOf } from './goods.ts';
import { countedLine, totalsOf } from './line.ts';
import { lineWrite, type Planned, readPlan, readTraces, removalWrite, type Trace } from './positions.ts';
import {
  countPlace,
  inventories,
  lockOfCount,
  requireInProgress,
  type StoredInventory,
  type Totals,
  totals,
} from './record.ts';
import { difference, makeSteps, type PositionChange } from './steps.ts';

const MOST_A_CALL = 100;

/** Counted positions. Part 2, "Inventories". */
export const CountedProducts = z.object({
  products_tmp: distinct(
    'stock_product_id',
    z
      .array(z.object({ stock_product_id: Id, actual_quantity: quantity(4, 0, MOST_PIECES) }))
      .min(1)
      .max(MOST_A_CALL),
  ),
});

/** Positions that are not to be counted. */
export const RemovedProducts = z.object({
  products_tmp: z
    .array(Id)
    .min(1)
    .max(MOST_A_CALL)
    .refine((ids) => new Set(ids).size === ids.length, { error: 'validation.duplicate' }),
});

/** When it is counted, and what keeps the answer. */
interface CountCall {
  readonly at: Instant;
  readonly remember: () => Write[];
}

/**
 * Counts positions: each balance is taken, with what it will be once the count is completed (`standing.ts`),
 * and what its line comes to is added to the count. A position that was counted before is counted anew.
 * Everything is checked before anything is written; a call that dies in the middle is made again as it was.
 * 400 for a count that is over, 422 on what is not of the warehouse, on what is neither in the books nor
 * there, and over ten thousand positions.
 */
export function countProducts(
  actor: Staff,
  id: number,
  { products_tmp: counted }: z.output<typeof CountedProducts>,
  { at, remember }: CountCall,
): Promise<void> {
  const { home } = actor;
  const place = countPlace(home, id);
  const ids = counted.map(({ stock_product_id }) => stock_product_id);
  return retryOnContention(async () => {
    const read = await readCounted(actor, place, ids);
    const { inventory, balances, kinds } = read;
    const positions = counted.flatMap(({ actual_quantity: actual }, index): Counted[] => {
      const balance = balances[index];
      return balance ? [{ balance, actual, trace: read.traces[index] }] : [];
    });
    requireSomething(positions, read.planned);
    const above = positions.filter(({ balance, actual }) => actual > balance.quantity);
    const origins = await originsOf(inventory, place, read.warehouses, above);
    const problems = new Problems();
    const steps = positions.map(({ balance, actual, trace }, index): PositionChange => {
      const { id: rowId, product_id, version } = balance;
      const origin = origins.get(product_id) ?? NO_ORIGIN;
      const counting = { inventoryId: id, actual, by: actor.id, at, origin };
      const { line, pending } = countedLine(balance, counting);
      if ((line.surplus?.amount ?? 0) > MOST_AMOUNT) {
        problems.add(`products_tmp.${index}.actual_quantity`, 'sale.amount_too_large');
      }
      const key = balanceKey(home, inventory.stock_id, product_id);
      const after = pending && { ...pending, version: version + 1 };
      const unchanged = { if: equals('version', version) };
      return {
        writes: [takeUnder(lockOfCount(place), key, after, unchanged), lineWrite(place, line, trace)],
        change: {
          ...difference(countedOf(trace), totalsOf(line)),
          products_count: isOf(read.planned.has(rowId), trace) ? 0 : 1,
        },
        bytes: 2 * bytesOf({ ...balance }) + bytesOf({ ...line }),
        kind: kinds.get(product_id),
      };
    });
    if (problems.areAny) throw problems.refusal;
    await makeSteps(actor, { inventory, place, at }, steps, remember);
  });
}

/**
 * Takes positions out of a count, by the ids of their lines; what was counted of them is given back as it
 * was. 400 for a count that is over, 422 on what is not in it.
 */
export function dropProducts(
  actor: Staff,
  id: number,
  { products_tmp: ids }: z.output<typeof RemovedProducts>,
  { at, remember }: CountCall,
): Promise<void> {
  const { home } = actor;
  const place = countPlace(home, id);
  return retryOnContention(async () => {
    const [inventory, plan, traces] = await Promise.all([
      getDocument(inventories, actor, id),
      readPlan(place),
      readTraces(place, ids),
    ]);
    requireInProgress(inventory);
    const planned = new Map(plan.map((row) => [row.id, row]));
    const problems = new Problems();
    const steps = ids.flatMap((rowId, index): PositionChange[] => {
      const trace = traces[index];
      const row: Planned | undefined = trace?.line ?? (trace ? undefined : planned.get(rowId));
      if (!row) {
        problems.add(`products_tmp.${index}`, 'validation.not_found');
        return [];
      }
      const { product_id } = row;
      const key = balanceKey(home, inventory.stock_id, product_id);
      return [
        {
          writes: [
            removalWrite(place, { id: rowId, product_id }, trace),
            ...(trace?.line ? [giveBack(lockOfCount(place), key)] : []),
          ],
          change: { ...difference(countedOf(trace), NO_TOTALS), products_count: -1 },
          bytes: 0,
        },
      ];
    });
    if (problems.areAny) throw problems.refusal;
    await makeSteps(actor, { inventory, place, at }, steps, remember);
  });
}

const NO_TOTALS = totals(() => 0);

const NO_ORIGIN = { id: 0, cost: 0, currency: 'uzs' } as const;

/** Tells whether a position is among those of the count. */
function isOf(isPlanned: boolean, trace: Trace | undefined): boolean {
  return trace ? trace.line !== undefined : isPlanned;
}

/** What a position came to before. */
function countedOf(trace: Trace | undefined): Totals {
  return trace?.line ? totalsOf(trace.line) : NO_TOTALS;
}

/** A position with what was counted, and what somebody has done with it before. */
interface Counted {
  readonly balance: Balance;
  readonly actual: number;
  readonly trace: Trace | undefined;
}

/**
 * What counting rests on: 400 for a count that is over, 422 on rows of another warehouse. Two round trips.
 */
async function readCounted(actor: Staff, place: Place, ids: readonly number[]) {
  const { home } = actor;
  const [inventory, plan, traces, rows, warehouses] = await Promise.all([
    getDocument(inventories, actor, place.id),
    readPlan(place),
    readTraces(place, ids),
    getItems(ids.map((id) => recordKey(STOCK_PRODUCT, home, id))),
    allWarehouses(home),
  ]);
  requireInProgress(inventory);
  const problems = new Problems();
  for (const [index, row] of rows.entries()) {
    if (row?.['stock_id'] === inventory.stock_id) continue;
    problems.add(`products_tmp.${index}.stock_product_id`, 'validation.not_found');
  }
  if (problems.areAny) throw problems.refusal;
  const productIds = rows.map((row) => Number(row?.['product_id']));
  const [items, kinds] = await Promise.all([
    getItems(productIds.map((productId) => balanceKey(home, inventory.stock_id, productId))),
    kindsOf(home, productIds),
  ]);
  const balances = items.map((item) => vouched(Balance, item));
  return { inventory, planned: new Set(plan.map(({ id }) => id)), traces, warehouses, balances, kinds };
}

/**
 * Refuses positions of which there is nothing, in the books or in reality: 422 on each. What went out while
 * the count began is planned, and may be counted so. Decisions, 9 (14).
 */
function requireSomething(positions: readonly Counted[], planned: ReadonlySet<number>): void {
  const problems = new Problems();
  for (const [index, { balance, actual }] of positions.entries()) {
    if (balance.quantity > 0 || actual > 0 || planned.has(balance.id)) continue;
    problems.add(`products_tmp.${index}.stock_product_id`, 'inventory.nothing_there');
  }
  if (problems.areAny) throw problems.refusal;
}

/**
 * What each product would cost, and which batch it would become, by product: as the newest goods ever
 * received in the family; what never was costs nothing, in the sale currency. Decisions, 9 (11).
 */
async function originsOf(
  { company_id }: StoredInventory,
  { home }: Place,
  warehouses: readonly { readonly id: number }[],
  above: readonly Counted[],
): Promise<ReadonlyMap<number, Omit<Origin, 'at'>>> {
  if (above.length === 0) return new Map();
  const productIds = above.map(({ balance }) => balance.product_id);
  const stockIds = warehouses.map(({ id }) => id);
  const [costs, first, rates] = await Promise.all([
    lastCostsIn(home, stockIds, productIds),
    nextId(BATCH, home, above.length),
    getItem(keyOfRates(home, company_id)),
  ]);
  const { saleCurrency } = ratesFrom(rates);
  return new Map(
    productIds.map((productId, index) => {
      const { cost, currency } = costs.get(productId) ?? { cost: 0, currency: saleCurrency };
      return [productId, { id: first + index, cost, currency }];
    }),
  );
}
