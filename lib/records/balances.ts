import type { Item } from '#lib/table/client.ts';
import { all, equals } from '#lib/table/expression.ts';
import { type Home, type Key, recordKey } from '#lib/table/keys.ts';
import { check, putNew, type Write } from '#lib/table/write.ts';
import type { Refusal } from '#lib/values/refusal.ts';
import { type Embed, reference } from './embeds.ts';

/**
 * Sums that belong to a record of a type and change without it: an item apart with a number for each, so that what
 * moves them adds to one attribute under a condition, and never meets an edit of the record.
 */
export interface Balances {
  /** The type of record they belong to. */
  readonly of: string;
  readonly names: readonly string[];
}

/** Where the sums of a record are. */
export function balanceKey({ of }: Balances, home: Home, id: number): Key {
  return recordKey(`${of}-balance`, home, id);
}

/** The write that a new record's sums begin with. */
export function openBalances(balances: Balances, home: Home, id: number): Write {
  const { names } = balances;
  return putNew(balanceKey(balances, home, id), Object.fromEntries(names.map((name) => [name, 0])));
}

/** Requires that every sum is zero. */
export function requireEmpty(balances: Balances, home: Home, id: number, otherwise: Refusal): Write {
  const empty = all(balances.names.map((name) => equals(name, 0)));
  return check(balanceKey(balances, home, id), { if: empty, otherwise });
}

/** Shows the sums in a field of the record, as `shape` makes them of the item. */
export function balanceEmbed(
  balances: Balances,
  home: Home,
  field: string,
  shape: (sums: Item) => unknown,
): Embed {
  const found = reference(field, ({ id }) => balanceKey(balances, home, Number(id)));
  return { ...found, shape: ([item]) => shape(item ?? {}) };
}
