import { type Embed, reference } from '#lib/records/query/embeds.ts';
import type { Deletable } from '#lib/records/stored.ts';
import { putNew, update, type Write, type WriteCondition } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { all, atLeast, type Expression, equals, lessThan } from '#lib/table/expression.ts';
import { type Key, recordKey, type Tenant } from '#lib/table/keys.ts';
import type { MessageDescriptor } from '#lib/values/message.ts';
import { MAX_AMOUNT, type MinorUnits } from '#lib/values/money.ts';

/**
 * Counters of a record, kept in an item of their own with a number for each. So a change of them adds to one
 * attribute under a condition, and never conflicts with an edit of the record.
 */
export interface Counters {
  /** The type of record they belong to. */
  readonly of: string;
  readonly names: readonly string[];
  /** Further attributes that the item begins with. */
  readonly beside?: Item;
  /** A condition on them for the record to be deleted. */
  readonly mayGo?: WriteCondition;
}

/**
 * Builds the counters' writes, for a record type's `alsoWrites`: they begin at zero with the record, and note
 * its deletion, so that one condition on one item is enough to change them.
 */
export function counterWrites(
  counters: Counters,
  tenant: Tenant,
  before: Deletable | undefined,
  after: Deletable & { readonly id: number },
): Write[] {
  const { is_deleted } = after;
  const key = counterKey(counters, tenant, after.id);
  if (!before) return [putNew(key, { ...zeros(counters), version: 1, ...counters.beside, is_deleted })];
  if (before.is_deleted === is_deleted) return [];
  return [update(key, { set: { is_deleted } }, is_deleted ? counters.mayGo : undefined)];
}

/** A part of every change of counters: copies of them show by it which is newer. */
export const VERSION_INCREMENT = { version: 1 };

/** The message for an amount beyond a counter's bounds. */
export const BALANCE_TOO_LARGE: MessageDescriptor = {
  key: 'balance.too_large',
  with: { max: MAX_AMOUNT / 100 },
};

/** Holds if all of these counters are zero. */
export function areZero(names: readonly string[]): Expression {
  return all(names.map((name) => equals(name, 0)));
}

/**
 * Holds if counters of a record that is not deleted can take the changes: none passes the largest amount, on
 * either side. Contract 8.
 */
export function canChangeCounters(changes: Readonly<Record<string, MinorUnits>>): Expression {
  const bounds = Object.entries(changes).flatMap(([name, change]) => [
    atLeast(name, -MAX_AMOUNT - change),
    lessThan(name, MAX_AMOUNT - change + 1),
  ]);
  return all([equals('is_deleted', false), ...bounds]);
}

/**
 * Builds the write that adds to counters of a record; `Contention` if they can't take it, which the caller
 * has checked before.
 */
export function addition(
  counters: Counters,
  tenant: Tenant,
  id: number,
  changes: Readonly<Record<string, MinorUnits>>,
): Write {
  const add = { ...changes, ...VERSION_INCREMENT };
  return update(counterKey(counters, tenant, id), { add }, { if: canChangeCounters(changes) });
}

/** Shows the counters in a field of the record, as `shape` makes them of the item. */
export function counterEmbed(
  counters: Counters,
  tenant: Tenant,
  field: string,
  shape: (sums: Item) => unknown,
): Embed {
  const found = reference(field, ({ id }) => counterKey(counters, tenant, Number(id)));
  return { ...found, shape: ([item]) => shape(item ?? {}) };
}

function zeros({ names }: Counters): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, 0]));
}

/** Gives the key of a record's counters. */
export function counterKey({ of }: Counters, tenant: Tenant, id: number): Key {
  return recordKey(`${of}-balance`, tenant, id);
}
