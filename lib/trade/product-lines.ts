import type * as z from 'zod';
import { fullText, products } from '#lib/catalog/product/card.ts';
import { embed, reference } from '#lib/records/embeds.ts';
import { readLines } from '#lib/records/lines.ts';
import { vouched } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { type Home, type Place, recordKey } from '#lib/table/keys.ts';

/** Lines of a long document that are shown, and those with their products: no answer passes 6 MB. */
const MOST_SHOWN = 1000;
const MOST_CARDS = 100;

/**
 * Reads the lines that a long document shows, the first of them with their products. Two or three round
 * trips.
 */
export async function readShownLines<S extends z.ZodType<unknown, Item>>(
  schema: S,
  document: Place,
  count: number,
): Promise<z.input<S>[]> {
  return readProductLines(schema, document, Math.min(count, MOST_SHOWN), MOST_CARDS);
}

/**
 * Reads the lines of a document that has `count`, some of them with their products. Two or three round trips.
 */
export async function readProductLines<S extends z.ZodType<unknown, Item>>(
  schema: S,
  document: Place,
  count: number,
  cards = count,
): Promise<z.input<S>[]> {
  return withProducts(schema, document.home, await readLines(schema, document, count), cards);
}

/** Lines, so many of them with their products. One round trip. */
export async function withProducts<S extends z.ZodType<unknown, Item>>(
  schema: S,
  home: Home,
  lines: readonly z.input<S>[],
  cards = MOST_CARDS,
): Promise<z.input<S>[]> {
  const product = reference(
    'product',
    ({ product_id }) => recordKey(products.type, home, Number(product_id)),
    fullText,
  );
  const shown = await embed(lines.slice(0, cards), [product]);
  return [...shown, ...lines.slice(cards)].map((line) => vouched(schema, line));
}
