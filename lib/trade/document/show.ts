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
import { documentRef, type LinedSchema, type LinedType, type LineSchema, linesToShow } from './lines.ts';
import { listWithLines } from './list.ts';

/** Lines and cards of a document that fit any response of 6 MB. */
const MAX_SHOWN = { lines: 1000, cards: 100 };

/** Query string of a document's lines. */
export const DocumentLineList = pageQuery(MAX_PAGE_SIZE);

/** Returns the read operations common to documents of goods. */
export function documentsWithLines<S extends LinedSchema, L extends LineSchema>(
  type: LinedType<S, L>,
  max = MAX_SHOWN,
) {
  return {
    /** Lists the documents within the caller's reach, with lines if requested. */
    list: (actor: Staff, query: ListQuery) => listWithLines(type, actor, query),

    /**
     * Reads a document with its first lines, the first of them with product cards, and the requested embeds.
     * A concurrent edit makes it re-read everything. Three or four round trips.
     */
    get: (actor: Staff, id: number, requestedEmbeds: readonly Embed[]) =>
      retryOnContention(async () => {
        const ref = documentRef(type, actor.tenant, id);
        const document = await getDocument(type, actor, id, requestedEmbeds);
        const lines = await readLines(type.line, ref, Math.min(document.products_count, max.lines));
        const [products] = await Promise.all([
          withProducts(type.line, actor.tenant, linesToShow(type, document, lines), max.cards),
          requireUnchanged(ref, document),
        ]);
        return { ...document, products };
      }),
  };
}

/**
 * Reads a page of a document's lines, in order, with product cards. A concurrent edit makes it re-read the
 * page. Three round trips.
 */
export function listLines<S extends LinedSchema, L extends LineSchema>(
  type: LinedType<S, L>,
  actor: Staff,
  id: number,
  { page, pageSize }: z.output<typeof DocumentLineList>,
): Promise<Page<z.input<L>>> {
  const ref = documentRef(type, actor.tenant, id);
  return retryOnContention(async () => {
    const document = await getDocument(type, actor, id);
    const { products_count: total } = document;
    const from = Math.min((page - 1) * pageSize, total);
    const lines = await readLinesBetween(type.line, ref, { from, to: Math.min(from + pageSize, total) });
    const [rows] = await Promise.all([
      withProducts(type.line, actor.tenant, linesToShow(type, document, lines)),
      requireUnchanged(ref, document),
    ]);
    return { rows, total, page, pageSize };
  });
}

/** Embeds product cards in the first `cards` lines. One round trip. */
export async function withProducts<S extends LineSchema>(
  schema: S,
  tenant: Tenant,
  lines: readonly z.input<S>[],
  cards = MAX_SHOWN.cards,
): Promise<z.input<S>[]> {
  const keyOf = ({ product_id }: Item) => recordKey(products.type, tenant, Number(product_id));
  const shown = await embed(lines.slice(0, cards), [reference('product', keyOf, fullText)]);
  return [...shown, ...lines.slice(cards)].map((line) => parseStored(schema, line));
}
