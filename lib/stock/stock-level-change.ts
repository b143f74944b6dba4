import { badRequest } from '#lib/values/api-error.ts';
import { type Batch, differences, MAX_BATCHES, mergeEqual, sumOf, without, withParts } from './batch.ts';
import { type BatchOrigin, type BatchPart, newest, newestOf } from './batch-part.ts';
import { addMovement, type Cause } from './movement.ts';
import { MAX_STOCK_LEVEL, type StockLevel } from './stock-level.ts';

type Costs = Pick<StockLevel, 'last_cost' | 'earlier_costs'>;

/** Stored costs of exhausted batches: fifty bytes each. */
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
  const after = withMovement(balance, withParts(balance.batches, parts), parts, cause);
  if (after.quantity > max) throw badRequest('stock.too_much');
  if (after.batches.length <= MAX_BATCHES) return after;
  const batches = mergeEqual(after.batches);
  if (batches.length > MAX_BATCHES) throw badRequest('stock.too_many_batches', { max: MAX_BATCHES });
  return withMovement(after, batches, differences(after.batches, batches), cause);
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
