import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { fullText, products } from '#lib/catalog/card.ts';
import {
  getDocument,
  listBareDocuments,
  listDocuments,
  requireAllUnchanged,
  requireUnchanged,
} from '#lib/records/documents.ts';
import { readFirstLines, readLines, readLinesBetween } from '#lib/records/lines.ts';
import { type Embed, embed, linesEmbed, reference } from '#lib/records/query/embeds.ts';
import { MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { type ListQuery, pageQuery } from '#lib/records/query/list-query.ts';
import { parseStored } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import type { Page } from '#lib/table/read/request.ts';
import { retryOnContention } from '#lib/table/transaction/transact.ts';
import { documentRef, type LinedSchema, type LinedType, type LineSchema, linesToShow } from './lines.ts';
import { fitLines, type LinesOfRow } from './response-size.ts';

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

/** Row of a list, with the document's lines if requested. */
type ListedRow<S extends z.ZodType, L extends z.ZodType> = z.input<S> & Partial<LinesOfRow<L>>;

/**
 * Reads a page of the documents within the caller's reach; with `with[]=products`, each has its first hundred
 * lines, without cards, consistent with its header. A concurrent edit makes it re-read the page. Two more
 * round trips with lines. Part 4, 4.1.
 */
async function listWithLines<S extends LinedSchema, L extends LineSchema>(
  type: LinedType<S, L>,
  actor: Staff,
  query: ListQuery,
): Promise<Page<ListedRow<S, L>>> {
  if (!query.embeds.includes(linesEmbed)) {
    const page = await listDocuments(type, actor, query);
    const none: Partial<LinesOfRow<L>> = {};
    return { ...page, rows: page.rows.map((row) => ({ ...row, ...none })) };
  }
  const embeds = query.embeds.filter((each) => each !== linesEmbed);
  return retryOnContention(async () => {
    const page = await listBareDocuments(type, actor, query);
    const headers = page.rows.map((row) => parseStored(type.schema, row));
    const lines = await readFirstLines(type.line, { type: type.type, tenant: actor.tenant }, headers);
    const [whole] = await Promise.all([embed(page.rows, embeds), requireAllUnchanged(page.rows)]);
    const rows = whole.map((row) => parseStored(type.schema, row));
    const whollyShown = rows.map((row, index) => lines[index] && linesToShow(type, row, lines[index]));
    const shown = fitLines({ row: type.schema, line: type.line }, rows, whollyShown);
    return { ...page, rows: rows.map((row, index) => ({ ...row, ...shown[index] })) };
  });
}
