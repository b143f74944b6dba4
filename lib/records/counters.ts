import type { Item } from '#lib/table/client.ts';
import { all, atLeast, type Expression, equals, lessThan } from '#lib/table/expression.ts';
import { type Home, type Key, recordKey } from '#lib/table/keys.ts';
import { type Guard, putNew, update, type Write } from '#lib/table/transaction/write.ts';
import type { Phrase } from '#lib/values/messages/say.ts';
import { type Cents, MOST_AMOUNT } from '#lib/values/money.ts';
import { type Embed, reference } from './embeds.ts';
import type { Deletable } from './stored.ts';

/**
 * Sums that belong to a record of a type and change without it: an item apart with a number for each, so that what
 * moves them adds to one attribute under a condition, and never meets an edit of the record.
 */
export interface Counters {
  /** The type of record they belong to. */
  readonly of: string;
  readonly names: readonly string[];
  /** What else the item begins with. */
  readonly beside?: Item;
  /** What must hold of them for the record to be deleted. */
  readonly mayGo?: Guard;
}

/**
 * For a record type's `alsoWrites`: the sums begin at zero with the record, and bear its deletion, so that one condition on
 * one item is enough to move them.
 */
export function counterWrites(
  counters: Counters,
  home: Home,
  before: Deletable | undefined,
  after: Deletable & { readonly id: number },
): Write[] {
  const { is_deleted } = after;
  const key = counterKey(counters, home, after.id);
  if (!before) return [putNew(key, { ...zeros(counters), ...counters.beside, is_deleted })];
  if (before.is_deleted === is_deleted) return [];
  return [update(key, { set: { is_deleted } }, is_deleted ? counters.mayGo : undefined)];
}

/** What is said of an amount that would take a sum out of its bounds. */
export const BALANCE_TOO_LARGE: Phrase = { key: 'balance.too_large', with: { max: MOST_AMOUNT / 100 } };

/** All of these sums are zero. */
export function areZero(names: readonly string[]): Expression {
  return all(names.map((name) => equals(name, 0)));
}

/**
 * Sums of a record that is not deleted can take what is to be added to them: none passes the most that an amount may be,
 * on either side. Decisions, 8.
 */
export function canTake(changes: Readonly<Record<string, Cents>>): Expression {
  const bounds = Object.entries(changes).flatMap(([name, change]) => [
    atLeast(name, -MOST_AMOUNT - change),
    lessThan(name, MOST_AMOUNT - change + 1),
  ]);
  return all([equals('is_deleted', false), ...bounds]);
}

/** The write that adds to sums of a record; `Contention` if they can't take it, which the caller has looked at before. */
export function addition(
  counters: Counters,
  home: Home,
  id: number,
  changes: Readonly<Record<string, Cents>>,
): Write {
  return update(counterKey(counters, home, id), { add: changes }, { if: canTake(changes) });
}

/** Shows the sums in a field of the record, as `shape` makes them of the item. */
export function counterEmbed(
  counters: Counters,
  home: Home,
  field: string,
  shape: (sums: Item) => unknown,
): Embed {
  const found = reference(field, ({ id }) => counterKey(counters, home, Number(id)));
  return { ...found, shape: ([item]) => shape(item ?? {}) };
}

function zeros({ names }: Counters): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, 0]));
}

/** Where the sums of a record are. */
export function counterKey({ of }: Counters, home: Home, id: number): Key {
  return recordKey(`${of}-balance`, home, id);
}
