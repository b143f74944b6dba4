import type { Item } from '#lib/table/client.ts';
import { type Key, sameTenantKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';

/** A related record that a caller may request by `with[]`: its keys, and its field in the response. */
export interface Embed {
  readonly field: string;
  readonly keysOf: (row: Item) => readonly Key[];
  readonly shape: (found: readonly (Item | undefined)[], row: Item) => unknown;
  readonly nested?: Embed;
  /** Its attribute, if it is a part of the row itself. */
  readonly heldAs?: string;
}

/** Embeds by their names in `with[]`. */
export type Embeds = Readonly<Record<string, Embed>>;

/** Embeds the one record that a row refers to, or null. */
export function reference(field: string, keyOf: (row: Item) => Key | undefined, nested?: Embed): Embed {
  return {
    field,
    keysOf: (row) => [keyOf(row) ?? []].flat(),
    shape: ([item]) => item ?? null,
    ...(nested && { nested }),
  };
}

/** Embeds the one record of the row's own tenant that its `<field>_id` refers to, or null. */
export function sameTenantReference(field: string, type: string, nested?: Embed): Embed {
  return reference(field, (row) => sameTenantKey(type, row['pk'], row[`${field}_id`]), nested);
}

/** Embeds all records that a row refers to. */
export function references(field: string, keysOf: (row: Item) => readonly Key[]): Embed {
  return { field, keysOf, shape: (found) => found.filter((item) => item !== undefined) };
}

/** Embeds a part of the row itself that is stored under another name and otherwise hidden. */
export function hiddenField(field: string, heldAs: string): Embed {
  return { field, keysOf: () => [], shape: () => undefined, heldAs };
}

/** `with[]=products` of a list: lines are stored beside the rows, and the caller of the list reads them. */
export const linesEmbed: Embed = { field: 'products', keysOf: () => [], shape: () => [] };

/** Adds the requested embeds to rows. One round trip for each level of nesting, for any number of rows. */
export async function embed(rows: readonly Item[], embeds: readonly Embed[]): Promise<Item[]> {
  const requested = rows.flatMap((row, index) =>
    embeds.map((each) => ({ index, each, keys: each.keysOf(row) })),
  );
  const items = await embedNested(requested, await getItems(requested.flatMap(({ keys }) => keys)));
  const whole = rows.map((row): Item => ({ ...row }));
  let at = 0;
  for (const { index, each, keys } of requested) {
    const row = whole[index] ?? {};
    row[each.field] =
      each.heldAs === undefined ? each.shape(items.slice(at, at + keys.length), row) : row[each.heldAs];
    at += keys.length;
  }
  return whole;
}

async function embedNested(
  requested: readonly { each: Embed; keys: readonly Key[] }[],
  items: readonly (Item | undefined)[],
): Promise<(Item | undefined)[]> {
  const owners = requested.flatMap(({ each, keys }) => keys.map(() => each));
  const whole = [...items];
  const nested = new Set(owners.flatMap((owner) => owner.nested ?? []));
  for (const inner of nested) {
    const held = items.flatMap((item, index) =>
      item && owners[index]?.nested === inner ? [{ item, index }] : [],
    );
    const rows = await embed(
      held.map(({ item }) => item),
      [inner],
    );
    for (const [at, { index }] of held.entries()) whole[index] = rows[at];
  }
  return whole;
}
