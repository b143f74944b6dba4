import * as z from 'zod';
import { putNew, replace, type Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { type Home, type Key, recordKey } from '#lib/table/keys.ts';
import { insertionNotice } from '#lib/table/list-index/notice.ts';
import { ONE, Quantity } from '#lib/values/quantity.ts';
import { refuse } from '#lib/values/refusal.ts';
import { Timestamp } from '#lib/values/time.ts';
import {
  Batch,
  differences,
  MOST_BATCHES,
  mergeEqual,
  newest,
  newestOf,
  Origin,
  type Part,
  sumOf,
  without,
  withParts,
} from './batch.ts';
import { type Cause, Entry, entryOf, PAGE, pageKey } from './movement.ts';

/*
 * The balance of a product in a warehouse: the quantity, its batches, and its latest movements.
 *
 * A change is computed from the row as it was read and written on condition that the row is still the same
 * (its `version`). So nothing is lost, doubled or taken below zero, whatever runs at once; the later one
 * reads again. The quantity, its batches and the movement are one item: they can't contradict each other. As
 * a rule it has one or two kilobytes, so a line of a sale costs two to four units: movements that fill a page
 * are put aside as one. In documents too wide for that it grows, at most to ten pages: 200 movements, eleven
 * kilobytes, and 44 units a line.
 */
export const Balance = z.object({
  id: z.int(),
  stock_id: z.int(),
  product_id: z.int(),
  quantity: Quantity,
  /**
   * Goods that holds have taken out of the quantity and still keep in the warehouse; absent if there are
   * none.
   */
  held: Quantity.optional(),
  batches: z.array(Batch),
  /** The cost of the newest batch of those that are gone; absent if none is. */
  last_cost: Origin.optional(),
  /** Costs of batches that are gone and older, the newest first. A canceled receipt's gives way to them. */
  earlier_costs: z.array(Origin).optional(),
  recent: z.array(Entry),
  /** The number of full pages of movements, which were put aside. */
  pages: z.int(),
  created_at: Timestamp,
  /** 0 for one that isn't in the table yet. */
  version: z.int(),
});

export type Balance = Readonly<z.input<typeof Balance>>;

type Costs = Pick<Balance, 'last_cost' | 'earlier_costs'>;

/** The type of rows by which balances are listed. */
export const STOCK_PRODUCT = 'stock-product';

/** Fields of those rows that have an index each. */
export const BALANCE_INDEXES = ['stock_id', 'product_id'];

/** Up to 2^26 pieces two quantities that differ in the eighth decimal also differ as JSON numbers. */
export const MOST_PIECES = 67_000_000;

const MOST = MOST_PIECES * ONE;

/** Costs that a row keeps of batches that are gone: fifty bytes each. */
const MOST_GONE = 4;

/** Movements that a row keeps if transactions have no room to put a page aside: it has ten kilobytes then. */
const MOST_RECENT = 10 * PAGE;

/**
 * Gives the key of a product's balance in a warehouse. Each has a partition key of its own: nobody asks for
 * all of a warehouse at once, and DynamoDB gives one partition a thousand write units a second, about 250
 * lines.
 */
export function balanceKey(home: Home, stockId: number, productId: number): Key {
  return { pk: `balance#${home}#${stockId}#${productId}`, sk: 'balance' };
}

/**
 * Takes goods of just these batches, which must have as many. A receipt takes goods only if it is canceled:
 * then they never came, and their cost is forgotten.
 */
export function takeParts(balance: Balance, parts: readonly Part[], cause: Cause): Balance {
  const after = withMovement(balance, without(balance.batches, parts), parts, cause);
  return cause.document === 'purchase' ? withoutCosts(after, new Set(parts.map(({ id }) => id))) : after;
}

/** Forgets the costs of batches that are gone; the same balance if it tells none of them. */
export function withoutCosts(balance: Balance, ids: ReadonlySet<number>): Balance {
  const gone = pastCosts(balance);
  const kept = gone.filter(({ id }) => !ids.has(id));
  return kept.length === gone.length ? balance : withGone(balance, kept);
}

/**
 * Puts goods in: new ones, or back into the batches they were taken from. Batches over a thousand are merged,
 * which is a movement of its own, as it changes batches and no quantity. 400 over `most`, and for batches of
 * more than a thousand different costs.
 */
export function putIn(balance: Balance, parts: readonly Part[], cause: Cause, most = MOST): Balance {
  const after = withMovement(balance, withParts(balance.batches, parts), parts, cause);
  if (after.quantity > most) throw refuse('stock.too_much');
  if (after.batches.length <= MOST_BATCHES) return after;
  const batches = mergeEqual(after.batches);
  if (batches.length > MOST_BATCHES) throw refuse('stock.too_many_batches', { max: MOST_BATCHES });
  return withMovement(after, batches, differences(after.batches, batches), cause);
}

/** Requires that a balance has no more than 67 million pieces. 400 otherwise. */
export function requireBounded({ quantity }: Pick<Balance, 'quantity'>): void {
  if (quantity > MOST) throw refuse('stock.too_much');
}

/**
 * Tells whether goods may be set aside: what is free and what holds keep are together no more than a balance
 * takes.
 */
export function canHold({ quantity, held = 0 }: Pick<Balance, 'quantity' | 'held'>): boolean {
  return quantity + held <= MOST;
}

/** Finds the cost of the newest goods of a balance; undefined if none ever came. */
export function lastCostOf(balance: Costs & Pick<Balance, 'batches'>): Origin | undefined {
  return newest([...balance.batches, ...pastCosts(balance)]);
}

function withMovement(
  before: Balance,
  batches: Batch[],
  parts: readonly Pick<Part, 'id' | 'quantity'>[],
  cause: Cause,
): Balance {
  const quantity = sumOf(batches);
  const entry = entryOf(cause, quantity - before.quantity, quantity, parts);
  const held = cause.document === 'hold' ? { held: (before.held ?? 0) + before.quantity - quantity } : {};
  const there = new Set(batches.map(({ id }) => id));
  const gone = [...before.batches, ...pastCosts(before)].filter(({ id }) => !there.has(id));
  return { ...withGone(before, gone), ...held, quantity, batches, recent: [...before.recent, entry] };
}

function pastCosts({ last_cost, earlier_costs = [] }: Costs): readonly Origin[] {
  return last_cost ? [last_cost, ...earlier_costs] : [];
}

/**
 * Keeps the costs of the newest batches that are gone. A canceled receipt's batches are never among these, as
 * they came back first: after a cancellation the next older cost is used. That works for as many
 * cancellations in a row as there are costs kept.
 */
function withGone(
  { last_cost: _, earlier_costs: __, ...balance }: Balance,
  gone: readonly Origin[],
): Balance {
  const [last, ...earlier] = newestOf(gone, MOST_GONE);
  return {
    ...balance,
    ...(last && { last_cost: last }),
    ...(earlier.length > 0 && { earlier_costs: earlier }),
  };
}

/**
 * Builds the writes that change a balance from what was read. A full page of movements is put aside if the
 * transaction has room for it, and in any case before the row grows too large. `Contention` if the balance
 * has changed since.
 */
export function balanceWrites(home: Home, read: Balance, balance: Balance): Write[] {
  const { id, version, recent, pages } = balance;
  const isNew = version === 0;
  const key = balanceKey(home, balance.stock_id, balance.product_id);
  const rowOf = (after: Balance) => {
    const row = { ...after, version: version + 1 };
    return isNew ? putNew(key, row) : replace(key, read, row, { if: equals('version', version) });
  };
  const turned = [
    rowOf({ ...balance, pages: pages + 1, recent: recent.slice(PAGE) }),
    putNew(pageKey(home, id, pages), { entries: recent.slice(0, PAGE) }),
  ];
  const whole = { ...rowOf(balance), ...(recent.length >= PAGE && { ifRoom: turned }) };
  return [...(recent.length >= MOST_RECENT ? turned : [whole]), ...(isNew ? [listing(home, balance)] : [])];
}

/** Makes the row that lists the balance by its id; it never changes. */
function listing(home: Home, { id, stock_id, product_id, created_at }: Balance): Write {
  const row = { id, stock_id, product_id, created_at, version: 1 };
  const source = { type: STOCK_PRODUCT, home, indexes: BALANCE_INDEXES };
  return { ...putNew(recordKey(STOCK_PRODUCT, home, id), row), ...insertionNotice(source, id) };
}
