import type { Staff } from '#lib/access/actor.ts';
import {
  type Repricing,
  RepricingLine,
  repricings,
  SKIPPED_ROW,
  SkippedRow,
} from '#lib/catalog/repricing/record.ts';
import { creatorEmbed } from '#lib/people/user/user.ts';
import { getDocument, listDocuments } from '#lib/records/documents.ts';
import { readLines } from '#lib/records/lines.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import type { Home } from '#lib/table/keys.ts';
import type { Page } from '#lib/table/read/request.ts';
import { withProducts } from '#lib/trade/document/show.ts';
import type { Locale } from '#lib/values/text.ts';
import { type Extent, OF_EACH, OF_ONE, showRepricing } from './show.ts';

/** Lists the batches of the companies open to the caller. */
export async function list(actor: Staff, query: ListQuery, locale: Locale): Promise<Page<Repricing>> {
  const page = await listDocuments(repricings, actor, query);
  const rows = await Promise.all(
    page.rows.map((row) => {
      const lines = row.products ? OF_EACH.lines : 0;
      return fill(actor.home, row, { ...OF_EACH, lines }, locale);
    }),
  );
  return { ...page, rows };
}

/**
 * Reads one batch with who made it, its first lines, the first of them with their cards, and the rows that
 * were skipped.
 */
export async function get(actor: Staff, id: number, locale: Locale): Promise<Repricing> {
  return fill(actor.home, await getDocument(repricings, actor, id, [creatorEmbed]), OF_ONE, locale);
}

/** Adds what a batch shows beside its header. Two or three round trips. */
async function fill(home: Home, repricing: Repricing, most: Extent, locale: Locale): Promise<Repricing> {
  const { id, products_count, skipped_count } = repricing;
  const shownCount = Math.min(products_count, most.lines);
  const skippedCount = Math.min(skipped_count, most.skipped);
  const [lines, skipped] = await Promise.all([
    readLines(RepricingLine, { type: repricings.type, home, id }, shownCount),
    readLines(SkippedRow, { type: SKIPPED_ROW, home, id }, skippedCount),
  ]);
  const { products, skipped_products } = showRepricing(
    repricing,
    await withProducts(RepricingLine, home, lines.slice(0, most.lines), most.cards),
    skipped.slice(0, most.skipped),
    locale,
  );
  return { ...repricing, ...(most.lines > 0 && { products }), skipped_products };
}
