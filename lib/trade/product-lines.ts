import type * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { fullText, products } from '#lib/catalog/card.ts';
import { type DocumentType, getDocument, requireUnchanged } from '#lib/records/documents.ts';
import { readLines, readLinesBetween } from '#lib/records/lines.ts';
import { type Embed, embed, reference } from '#lib/records/query/embeds.ts';
import { pageQuery } from '#lib/records/query/list-query.ts';
import { vouch } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { type Home, recordKey } from '#lib/table/keys.ts';
import type { Page } from '#lib/table/rows/request.ts';
import { retryOnContention } from '#lib/table/transaction/transact.ts';

/** How many lines of a document are shown, and how many of those with their products. */
interface Shown {
  readonly lines: number;
  readonly cards: number;
}

/** As much of a long document as passes in any answer, which may be of 6 MB. */
const MOST: Shown = { lines: 1000, cards: 100 };

/** A document that says how many lines it has. */
type LongDocument = z.ZodType<unknown, { readonly id: number; readonly products_count: number }>;

/** A type of document, and what its lines are. */
interface Lined<S extends LongDocument, L extends z.ZodType<unknown, Item>> {
  readonly type: DocumentType<S>;
  readonly line: L;
  readonly most?: Shown;
}

/**
 * Reads one document with the lines that it shows, the first of them with their products, and with what was
 * asked for. An edit that comes between header and lines has all of it read again. Three or four round trips.
 */
export function getWithLines<S extends LongDocument, L extends z.ZodType<unknown, Item>>(
  { type, line, most = MOST }: Lined<S, L>,
  actor: Staff,
  id: number,
  wanted: readonly Embed[],
) {
  const place = { type: type.type, home: actor.home, id };
  return retryOnContention(async () => {
    const document = await getDocument(type, actor, id, wanted);
    const lines = await readLines(line, place, Math.min(document.products_count, most.lines));
    const [products] = await Promise.all([
      withProducts(line, actor.home, lines, most.cards),
      requireUnchanged(place, document),
    ]);
    return { ...document, products };
  });
}

/** The query string of a document's lines. */
export const DocumentLineList = pageQuery(100);

/**
 * Reads a page of the lines of one document, in their order, each with its product. An edit that comes
 * between has it read again. Three round trips.
 */
export function listLines<S extends LongDocument, L extends z.ZodType<unknown, Item>>(
  { type, line }: Pick<Lined<S, L>, 'type' | 'line'>,
  actor: Staff,
  id: number,
  { page, pageSize }: z.output<typeof DocumentLineList>,
): Promise<Page<z.input<L>>> {
  const place = { type: type.type, home: actor.home, id };
  return retryOnContention(async () => {
    const document = await getDocument(type, actor, id);
    const { products_count: total } = document;
    const from = Math.min((page - 1) * pageSize, total);
    const range = { from, to: Math.min(from + pageSize, total) };
    const lines = await readLinesBetween(line, place, range);
    const [rows] = await Promise.all([
      withProducts(line, actor.home, lines),
      requireUnchanged(place, document),
    ]);
    return { rows, total, page, pageSize };
  });
}

/** Shows lines, so many of them with their products. One round trip. */
export async function withProducts<S extends z.ZodType<unknown, Item>>(
  schema: S,
  home: Home,
  lines: readonly z.input<S>[],
  cards = MOST.cards,
): Promise<z.input<S>[]> {
  const product = reference(
    'product',
    ({ product_id }) => recordKey(products.type, home, Number(product_id)),
    fullText,
  );
  const shown = await embed(lines.slice(0, cards), [product]);
  return [...shown, ...lines.slice(cards)].map((line) => vouch(schema, line));
}
