import type * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { listDocuments } from '#lib/records/documents.ts';
import { LONG_PAGE } from '#lib/records/query/filters.ts';
import { documentQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import type { Home } from '#lib/table/keys.ts';
import type { Page } from '#lib/table/read/request.ts';
import { fitLines, MOST_LINES } from '#lib/trade/document/answer-size.ts';
import { PACK, ReturnedLine, readReturnsAt } from '#lib/trade/sale/returns-of.ts';
import { type ReturnHeader, ReturnRow, saleReturns, sameOf } from './record.ts';

/** The list's query string. */
export const ReturnList = documentQuery(saleReturns.filters, { sorts: ['id'], pageSize: LONG_PAGE });

/** Lists the returns that desks open to the caller have made, each with its lines. */
export async function list(actor: Staff, query: ListQuery): Promise<Page<z.input<typeof ReturnRow>>> {
  const page = await listDocuments(saleReturns, actor, query);
  const whole = await readRows(actor.home, page.rows);
  const schemas = { row: ReturnRow.omit({ products: true }), line: ReturnedLine };
  const shown = fitLines(
    schemas,
    whole.map(({ row }) => row),
    whole.map(({ lines }) => lines),
  );
  return { ...page, rows: whole.map(({ row }, index) => ({ ...row, products: null, ...shown[index] })) };
}

/**
 * Reads what the history of cheques has of returns, beside their headers: comment, payouts and lines. These
 * are undefined once there are more than an answer can have. A return never changes, so that its header and
 * its history are always of one moment. One round trip.
 */
async function readRows(home: Home, headers: readonly ReturnHeader[]) {
  let count = 0;
  const places = headers.map((header) => {
    count += header.products_count;
    const isRead = count <= MOST_LINES;
    return { ...header, isRead, packs: isRead ? Math.ceil(header.products_count / PACK) : 1 };
  });
  const returns = await readReturnsAt(home, places);
  return places.map(({ isRead, packs: _, ...header }, index) => {
    const { transactions = [], products = [] } = returns[index] ?? {};
    const comment = header.has_one_comment ? sameOf(products.map((line) => line.comment)) : null;
    return { row: { ...header, comment, transactions }, lines: isRead ? products : undefined };
  });
}
