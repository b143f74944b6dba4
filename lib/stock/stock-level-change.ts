import { badRequest } from '#lib/values/api-error.ts';
import type { Currency, MinorUnits } from '#lib/values/money.ts';
import { amountOf, type Units } from '#lib/values/quantity.ts';
import { type Batch, differences, MAX_BATCHES, mergeEqual, placeParts, sumOf, without } from './batch.ts';
import { type BatchOrigin, type BatchPart, isOfLine, newest, newestOf } from './batch-part.ts';
import { addMovement, type Cause } from './movement.ts';
import { MAX_STOCK_LEVEL, type StockLevel } from './stock-level.ts';

type Costs = Pick<StockLevel, 'last_cost' | 'earlier_costs'>;

/** Stored costs of exhausted batches: seventy bytes each. */
const MAX_GONE = 4;

/**
 * Takes goods of exactly these batches, which must have enough. A goods receipt takes goods only on
 * cancellation: they count as never received, so their cost is removed.
 */
export function takeParts(balance: StockLevel, parts: readonly BatchPart[], cause: Cause): StockLevel {
  const after = withMovement(balance, without(balance.batches, parts), parts, cause);
  return cause.document === 'purchase' ? withoutCosts(after, new Set(parts.map(({ id }) => id))) : after;
}

/** Removes the costs of exhausted batches; returns the same stock level if it stores none of them. */
export function withoutCosts(balance: StockLevel, ids: ReadonlySet<number>): StockLevel {
  const gone = pastCosts(balance);
  const remaining = gone.filter(({ id }) => !ids.has(id));
  return remaining.length === gone.length ? balance : withGone(balance, remaining);
}

/**
 * Adds goods: new ones, or back into their batches. Over a thousand batches are merged, a separate movement
 * that changes batches but no quantity. 400 over `max`, and for batches of more than a thousand different
 * costs.
 */
export function addToStock(
  balance: StockLevel,
  parts: readonly BatchPart[],
  cause: Cause,
  max = MAX_STOCK_LEVEL,
): StockLevel {
  const { batches: filled, placed } = placeIn(balance, parts);
  const after = withMovement(balance, filled, placed, cause);
  if (after.quantity > max) throw badRequest('stock.too_much');
  if (after.batches.length <= MAX_BATCHES) return after;
  const batches = mergeEqual(after.batches);
  if (batches.length > MAX_BATCHES) throw badRequest('stock.too_many_batches', { max: MAX_BATCHES });
  return withMovement(after, batches, differences(after.batches, batches), cause);
}

/** Returns the parts of goods as they would lie in a stock level. */
export function partsIn(balance: StockLevel, parts: readonly BatchPart[]): readonly BatchPart[] {
  return placeIn(balance, parts).placed;
}

function placeIn(balance: StockLevel, parts: readonly BatchPart[]) {
  return placeParts(balance.batches, parts, pastCosts(balance));
}

/** Correction of the cost of a goods-receipt line, from the cost that the line shows. */
export interface CostChange {
  /** Id of the line. */
  readonly id: number;
  readonly before: MinorUnits;
  readonly after: MinorUnits;
}

/**
 * Gives the goods of a line that are at its cost the new one, exhausted ones included: the product's latest
 * cost follows. Returns the same stock level without such goods. Part 5, 5A.4, 1.
 */
export function correctCost(balance: StockLevel, { id: line, before, after }: CostChange): StockLevel {
  const isTheirs = ({ id, cost }: BatchOrigin) => isOfLine(id, line) && cost === before;
  const past = pastCosts(balance);
  if (!balance.batches.some(isTheirs) && !past.some(isTheirs)) return balance;
  const corrected = <T extends BatchOrigin>(goods: T) =>
    isTheirs(goods) ? { ...goods, cost: after } : goods;
  return { ...withGone(balance, past.map(corrected)), batches: balance.batches.map(corrected) };
}

/** Returns the goods of a line at its cost in a stock level. */
export function remainingOf(balance: StockLevel, { id: line, before }: CostChange): Units {
  return sumOf(balance.batches.filter(({ id, cost }) => isOfLine(id, line) && cost === before));
}

/**
 * Computes the cost of a stock level's goods in a currency: those of equal unit cost are rounded together.
 */
export function worthOf({ batches }: Pick<StockLevel, 'batches'>, currency: Currency): MinorUnits {
  const groups = Map.groupBy(
    batches.filter((batch) => batch.currency === currency),
    ({ cost }) => cost,
  );
  return [...groups].reduce((sum, [cost, goods]) => sum + amountOf(cost, sumOf(goods)), 0);
}

/** Returns the cost of the newest goods of a stock level; undefined if it never received any. */
export function lastCostOf(balance: Costs & Pick<StockLevel, 'batches'>): BatchOrigin | undefined {
  return newest([...balance.batches, ...pastCosts(balance)]);
}

function withMovement(
  before: StockLevel,
  batches: Batch[],
  parts: readonly Pick<BatchPart, 'id' | 'quantity'>[],
  cause: Cause,
): StockLevel {
  const quantity = sumOf(batches);
  const moved = { change: quantity - before.quantity, after: quantity, parts };
  const recent = addMovement(before.recent, cause, moved);
  const held = cause.document === 'hold' ? { held: (before.held ?? 0) + before.quantity - quantity } : {};
  const presentIds = new Set(batches.map(({ id }) => id));
  const gone = [...before.batches, ...pastCosts(before)].filter(({ id }) => !presentIds.has(id));
  return { ...withGone(before, gone), ...held, quantity, batches, recent };
}

function pastCosts({ last_cost, earlier_costs = [] }: Costs): readonly BatchOrigin[] {
  return last_cost ? [last_cost, ...earlier_costs] : [];
}

/**
 * Stores the costs of the newest exhausted batches. Those of a canceled goods receipt are never among them,
 * because its goods came back first: the next older cost applies after a cancellation. With four stored, that
 * holds for four consecutive cancellations.
 */
function withGone(
  { last_cost: _, earlier_costs: __, ...balance }: StockLevel,
  gone: readonly BatchOrigin[],
): StockLevel {
  const [last, ...earlier] = newestOf(gone, MAX_GONE);
  return {
    ...balance,
    ...(last && { last_cost: last }),
    ...(earlier.length > 0 && { earlier_costs: earlier }),
  };
}
