import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { listBareDocuments, listDocuments, requireAllUnchanged } from '#lib/records/documents.ts';
import { readFirstLines } from '#lib/records/lines.ts';
import { embed, linesEmbed } from '#lib/records/query/embeds.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import { parseStored } from '#lib/records/stored.ts';
import type { Page } from '#lib/table/read/request.ts';
import { retryOnContention } from '#lib/table/transaction/transact.ts';
import { type LinedSchema, type LinedType, type LineSchema, linesToShow } from './lines.ts';
import { fitLines, type LinesOfRow } from './response-size.ts';

/** Row of a list, with the document's lines if requested. */
type ListedRow<S extends z.ZodType, L extends z.ZodType> = z.input<S> & Partial<LinesOfRow<L>>;

/**
 * Reads a page of the documents within the caller's reach; with `with[]=products`, each has its first hundred
 * lines, without cards, consistent with its header. A concurrent edit makes it re-read the page. Two more
 * round trips with lines. Part 4, 4.1.
 */
export async function listWithLines<S extends LinedSchema, L extends LineSchema>(
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
