import type { Item } from '#lib/table/client.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/reads.ts';

/** Something related that a caller may ask for by `with[]`: where it is found and the field it is shown in. */
export interface Embed {
  readonly field: string;
  readonly keysOf: (row: Item) => readonly Key[];
  readonly shape: (found: readonly (Item | undefined)[]) => unknown;
  readonly nested?: Embed;
}

/** Embeds the one record a row points at, or null. */
export function reference(field: string, keyOf: (row: Item) => Key | undefined, nested?: Embed): Embed {
  return {
    field,
    keysOf: (row) => [keyOf(row) ?? []].flat(),
    shape: ([item]) => item ?? null,
    ...(nested && { nested }),
  };
}

/** Embeds all the records a row points at. */
export function references(field: string, keysOf: (row: Item) => readonly Key[]): Embed {
  return { field, keysOf, shape: (found) => found.filter((item) => item !== undefined) };
}

/** A part of the row itself that is shown only when asked for. */
export function ownPart(field: string): Embed {
  return { field, keysOf: () => [], shape: () => undefined };
}

/** The rows with what was asked for. One round trip a level of nesting, whatever the number of rows. */
export async function embed(rows: readonly Item[], embeds: readonly Embed[]): Promise<Item[]> {
  const wanted = embeds.flatMap((each) =>
    rows.map((row) => ({ row, each, keys: each.keysOf(row) })).filter(({ keys }) => keys.length > 0),
  );
  if (wanted.length === 0) return [...rows];
  const items = await getItems(wanted.flatMap(({ keys }) => keys));
  const nested = await embedNested(wanted, items);
  const shown = new Map<Item, Item>();
  let at = 0;
  for (const { row, each, keys } of wanted) {
    const found = nested.slice(at, at + keys.length);
    at += keys.length;
    shown.set(row, { ...shown.get(row), [each.field]: each.shape(found) });
  }
  return rows.map((row) => ({ ...row, ...shown.get(row) }));
}

async function embedNested(
  wanted: readonly { each: Embed; keys: readonly Key[] }[],
  items: readonly (Item | undefined)[],
): Promise<(Item | undefined)[]> {
  const owners = wanted.flatMap(({ each, keys }) => keys.map(() => each));
  return Promise.all(
    items.map(async (item, index) => {
      const inner = owners[index]?.nested;
      if (!item || !inner) return item;
      const [whole] = await embed([item], [inner]);
      return whole;
    }),
  );
}
