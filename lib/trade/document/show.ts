import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { fullText, products } from '#lib/catalog/card.ts';
import { getDocument, requireUnchanged } from '#lib/records/documents.ts';
import { readLines, readLinesBetween } from '#lib/records/lines.ts';
import { type Embed, embed, reference } from '#lib/records/query/embeds.ts';
import { MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { type ListQuery, pageQuery } from '#lib/records/query/list-query.ts';
import { parseStored } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import type { Page } from '#lib/table/read/request.ts';
import { retryOnContention } from '#lib/table/transaction/transact.ts';
import { documentRef, type LinedSchema, type LinedType, type LineSchema } from './lines.ts';
import { listWithLines } from './list.ts';

/** As much of a long document as passes in any answer, which may be of 6 MB: lines, and their products. */
const MOST = { lines: 1000, cards: 100 };

/** The query string of a document's lines. */
export const DocumentLineList = pageQuery(MAX_PAGE_SIZE);

/** Gives what all documents of goods have: their list, and one with its lines. */
export function documentsWithLines<S extends LinedSchema, L extends LineSchema>(
  type: LinedType<S, L>,
  max = MOST,
) {
  return {
    /** Lists the documents within the caller's reach, with lines if they are asked for. */
    list: (actor: Staff, query: ListQuery) => listWithLines(type, actor, query),

    /**
     * Reads one document with the lines that it shows, the first of them with their products, and with what
     * was asked for. If an edit comes between header and lines, all of it is read again. Three or four round
     * trips.
     */
    get: (actor: Staff, id: number, wanted: readonly Embed[]) =>
      retryOnContention(async () => {
        const place = documentRef(type, actor.tenant, id);
        const document = await getDocument(type, actor, id, wanted);
        const lines = await readLines(type.line, place, Math.min(document.products_count, max.lines));
        const [products] = await Promise.all([
          withProducts(type.line, actor.tenant, lines, max.cards),
          requireUnchanged(place, document),
        ]);
        return { ...document, products };
      }),
  };
}

/**
 * Reads a page of the lines of one document, in their order, each with its product. An edit that comes
 * between has it read again. Three round trips.
 */
export function listLines<S extends LinedSchema, L extends LineSchema>(
  type: LinedType<S, L>,
  actor: Staff,
  id: number,
  { page, pageSize }: z.output<typeof DocumentLineList>,
): Promise<Page<z.input<L>>> {
  const place = documentRef(type, actor.tenant, id);
  return retryOnContention(async () => {
    const document = await getDocument(type, actor, id);
    const { products_count: total } = document;
    const from = Math.min((page - 1) * pageSize, total);
    const lines = await readLinesBetween(type.line, place, { from, to: Math.min(from + pageSize, total) });
    const [rows] = await Promise.all([
      withProducts(type.line, actor.tenant, lines),
      requireUnchanged(place, document),
    ]);
    return { rows, total, page, pageSize };
  });
}

/** Shows lines, so many of them with their products. One round trip. */
export async function withProducts<S extends LineSchema>(
  schema: S,
  tenant: Tenant,
  lines: readonly z.input<S>[],
  cards = MOST.cards,
): Promise<z.input<S>[]> {
  const keyOf = ({ product_id }: Item) => recordKey(products.type, tenant, Number(product_id));
  const shown = await embed(lines.slice(0, cards), [reference('product', keyOf, fullText)]);
  return [...shown, ...lines.slice(cards)].map((line) => parseStored(schema, line));
}
