import type { Item } from '#lib/table/client.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/reads.ts';

/** Something related that a caller may ask for by `with[]`: where it is found and the field it is shown in. */
export interface Embed {
  readonly field: string;
  readonly keysOf: (row: Item) => readonly Key[];
  readonly shape: (found: readonly (Item | undefined)[]) => unknown;
  readonly nested?: Embed;
  /** For a part of the row itself: the attribute that holds it. */
  readonly heldAs?: string;
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

/** Shows a part of the row itself, which it otherwise keeps to itself under another name. */
export function ownPart(field: string, heldAs: string): Embed {
  return { field, keysOf: () => [], shape: () => undefined, heldAs };
}

/** The rows with what was asked for. One round trip a level of nesting, whatever the number of rows. */
export async function embed(rows: readonly Item[], embeds: readonly Embed[]): Promise<Item[]> {
  const wanted = rows.flatMap((row, index) =>
    embeds.map((each) => ({ index, each, keys: each.keysOf(row) })),
  );
  const items = await embedNested(wanted, await getItems(wanted.flatMap(({ keys }) => keys)));
  const whole = rows.map((row): Item => ({ ...row }));
  let at = 0;
  for (const { index, each, keys } of wanted) {
    const row = whole[index] ?? {};
    row[each.field] =
      each.heldAs === undefined ? each.shape(items.slice(at, at + keys.length)) : row[each.heldAs];
    at += keys.length;
  }
  return whole;
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
