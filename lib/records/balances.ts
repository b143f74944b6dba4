import type { Item } from '#lib/table/client.ts';
import { all, equals } from '#lib/table/expression.ts';
import { type Home, type Key, recordKey } from '#lib/table/keys.ts';
import { putNew, update, type Write } from '#lib/table/write.ts';
import type { Refusal } from '#lib/values/refusal.ts';
import { type Embed, reference } from './embeds.ts';
import type { Deletable } from './stored.ts';

/**
 * Sums that belong to a record of a type and change without it: an item apart with a number for each, so that what
 * moves them adds to one attribute under a condition, and never meets an edit of the record.
 */
export interface Balances {
  /** The type of record they belong to. */
  readonly of: string;
  readonly names: readonly string[];
}

/**
 * For a record type's `along`: the sums begin at zero with the record, and bear its deletion, so that one condition on
 * one item is enough to move them. `unlessEmpty` is said when a record is deleted whose sums are not all zero.
 */
export function balanceWrites(
  balances: Balances,
  home: Home,
  before: Deletable | undefined,
  after: Deletable & { readonly id: number },
  unlessEmpty?: Refusal,
): Write[] {
  const { is_deleted } = after;
  const key = balanceKey(balances, home, after.id);
  if (!before) return [putNew(key, { ...zeros(balances), is_deleted })];
  if (before.is_deleted === is_deleted) return [];
  const empty = all(balances.names.map((name) => equals(name, 0)));
  return [
    update(
      key,
      { set: { is_deleted } },
      is_deleted && unlessEmpty ? { if: empty, otherwise: unlessEmpty } : undefined,
    ),
  ];
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

function zeros({ names }: Balances): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, 0]));
}

/** Where the sums of a record are. */
export function balanceKey({ of }: Balances, home: Home, id: number): Key {
  return recordKey(`${of}-balance`, home, id);
}
