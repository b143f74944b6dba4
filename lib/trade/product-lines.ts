import type * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { fullText, products } from '#lib/catalog/product/card.ts';
import { type DocumentType, getDocument } from '#lib/records/documents.ts';
import { type Embed, embed, reference } from '#lib/records/embeds.ts';
import { readLines } from '#lib/records/lines.ts';
import { vouched } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { type Home, type Place, recordKey } from '#lib/table/keys.ts';
import { retryOnContention } from '#lib/table/transaction/transact.ts';

/** Lines of a long document that are shown, and those with their products: no answer passes 6 MB. */
const MOST_SHOWN = 1000;
const MOST_CARDS = 100;

/** A document that says how many lines it has. */
type LongDocument = z.ZodType<unknown, { readonly id: number; readonly products_count: number }>;

/**
 * Reads one document with the lines that it shows, the first of them with their products, and with what was
 * asked for. Three or four round trips.
 */
export function getWithLines<S extends LongDocument, L extends z.ZodType<unknown, Item>>(
  { type, line }: { readonly type: DocumentType<S>; readonly line: L },
  actor: Staff,
  id: number,
  wanted: readonly Embed[],
) {
  const place = { type: type.type, home: actor.home, id };
  return retryOnContention(async () => {
    const document = await getDocument(type, actor, id, wanted);
    const count = Math.min(document.products_count, MOST_SHOWN);
    return { ...document, products: await readProductLines(line, place, count, MOST_CARDS) };
  });
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
