import { type Embed, reference } from '#lib/records/query/embeds.ts';
import type { Deletable } from '#lib/records/stored.ts';
import { putNew, update, type Write, type WriteCondition } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { all, atLeast, type Expression, equals, lessThan } from '#lib/table/expression.ts';
import { type Key, partition, recordKey, type Tenant } from '#lib/table/keys.ts';
import type { MessageDescriptor } from '#lib/values/message.ts';
import { MAX_AMOUNT, type MinorUnits } from '#lib/values/money.ts';

/**
 * Counters of a record, in an item of their own with a numeric attribute for each. So a change adds to one
 * attribute under a condition, and never conflicts with an edit of the record.
 */
export interface Counters {
  /** The type of the record. */
  readonly of: string;
  readonly names: readonly string[];
  /** Additional attributes of a new item. */
  readonly beside?: Item;
  /** A write condition for deleting the record. */
  readonly mayGo?: WriteCondition;
}

/**
 * Builds the writes of counters, for a record type's `alsoWrites`: created as zeros with the record, and
 * marked when it is deleted, so that a change needs only one condition on one item.
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

/** Part of every change of counters: replicas order their versions by it. */
export const VERSION_INCREMENT = { version: 1 };

/** The error for an amount beyond a counter's bounds. */
export const BALANCE_TOO_LARGE: MessageDescriptor = {
  key: 'balance.too_large',
  with: { max: MAX_AMOUNT / 100 },
};

/** Holds if all of these counters are zero. */
export function areZero(names: readonly string[]): Expression {
  return all(names.map((name) => equals(name, 0)));
}

/**
 * Holds if a record is not deleted and its counters can take the changes: none exceeds the largest amount,
 * positive or negative. Contract 8.
 */
export function canChangeCounters(changes: Readonly<Record<string, MinorUnits>>): Expression {
  const bounds = Object.entries(changes).flatMap(([name, change]) => [
    atLeast(name, -MAX_AMOUNT - change),
    lessThan(name, MAX_AMOUNT - change + 1),
  ]);
  return all([equals('is_deleted', false), ...bounds]);
}

/**
 * Builds the write that adds to a record's counters; `Contention` if they can't take the changes, which the
 * caller has checked before.
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

/** Embeds the counters in a field of the record, in the form returned by `shape`. */
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

/** Returns the partition with the counters of all records of a type. */
export function counterPartition({ of }: Counters, tenant: Tenant): string {
  return partition(`${of}-balance`, tenant);
}

/** Returns the key of a record's counters. */
export function counterKey({ of }: Counters, tenant: Tenant, id: number): Key {
  return recordKey(`${of}-balance`, tenant, id);
}
