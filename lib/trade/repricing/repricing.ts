import type { Staff } from '#lib/auth/actor.ts';
import {
  Repricing,
  RepricingLine,
  repricings,
  SKIPPED_ROW,
  SkippedRow,
} from '#lib/catalog/repricing/record.ts';
import { creatorEmbed } from '#lib/people/user/user.ts';
import { getDocument, listDocuments } from '#lib/records/documents.ts';
import { readLines } from '#lib/records/lines.ts';
import { type Embed, linesEmbed } from '#lib/records/query/embeds.ts';
import { documentQuery, embedQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import type { Tenant } from '#lib/table/keys.ts';
import type { Page } from '#lib/table/read/request.ts';
import { fitLines } from '#lib/trade/document/response-size.ts';
import { withProducts } from '#lib/trade/document/show.ts';
import { type MessageDescriptor, translate } from '#lib/values/message.ts';
import type { Locale } from '#lib/values/text.ts';

/**
 * Lists the batches of the companies open to the caller. With `with[]=products` each has its first hundred
 * lines; a batch never changes, so that they are of one moment with it. Part 4, 4.1.
 */
export async function list(actor: Staff, query: ListQuery, locale: Locale): Promise<Page<Repricing>> {
  const page = await listDocuments(repricings, actor, query);
  const [isLong, hasCards] = [linesEmbed, askedFor].map((each) => query.embeds.includes(each));
  const lines = isLong ? MAX_LISTED : hasCards ? OF_EACH.lines : 0;
  const max = { ...OF_EACH, lines, cards: hasCards ? OF_EACH.cards : 0 };
  const rows = await Promise.all(page.rows.map((row) => fill(actor.tenant, row, max, locale)));
  return { ...page, rows: isLong ? withinAnswer(rows) : rows };
}

/** Leaves out the lines with which an answer would become too large. */
function withinAnswer(rows: readonly Repricing[]): Repricing[] {
  const heads = rows.map(({ products: _, ...head }) => head);
  const schemas = { row: Repricing.omit({ products: true }), line: RepricingLine };
  const shown = fitLines(
    schemas,
    heads,
    rows.map(({ products }) => products ?? []),
  );
  return heads.map((head, index) => ({ ...head, ...shown[index] }));
}

/**
 * Reads one batch with who made it, its first lines, the first of them with their cards, and the rows that
 * were skipped.
 */
export async function get(actor: Staff, id: number, locale: Locale): Promise<Repricing> {
  return fill(actor.tenant, await getDocument(repricings, actor, id, [creatorEmbed]), OF_ONE, locale);
}

/** Adds what a batch shows beside its header. Two or three round trips. */
async function fill(tenant: Tenant, repricing: Repricing, max: Extent, locale: Locale): Promise<Repricing> {
  const { id, products_count, skipped_count } = repricing;
  const shownCount = Math.min(products_count, max.lines);
  const skippedCount = Math.min(skipped_count, max.skipped);
  const [lines, skipped] = await Promise.all([
    readLines(RepricingLine, { type: repricings.type, tenant, id }, shownCount),
    readLines(SkippedRow, { type: SKIPPED_ROW, tenant, id }, skippedCount),
  ]);
  const { products, skipped_products } = showRepricing(
    repricing,
    await withProducts(RepricingLine, tenant, lines.slice(0, max.lines), max.cards),
    skipped.slice(0, max.skipped),
    locale,
  );
  return { ...repricing, ...(max.lines > 0 && { products }), skipped_products };
}

/** Says that lines are asked for, which stand beside the rows of a list: who reads those puts them here. */
const askedFor: Embed = { field: 'products', keysOf: () => [], shape: () => [] };

const embeds = { 'creator.profile': creatorEmbed, 'products.product': askedFor };

/** The list's query string. Part 2, "Repricing batches". */
export const RepricingList = documentQuery(repricings.filters, {
  sorts: ['id'],
  embeds: { ...embeds, products: linesEmbed },
});

/** The query string of a single batch, which is shown with all of it as it is. */
export const RepricingEmbeds = embedQuery({ embeds });

/**
 * What is shown of a batch beside its header: no answer passes the 6 MB of a call, whatever stands on the
 * cards.
 */
interface Extent {
  readonly lines: number;
  /** As many lines as have their cards with them, of up to twelve kilobytes each. */
  readonly cards: number;
  readonly skipped: number;
}

/** What one batch shows at the most. */
export const OF_ONE = { lines: 1000, cards: 100, skipped: 10_000 };

/** What each batch of a list shows at the most. */
export const OF_EACH = { lines: 20, cards: 20, skipped: 100 };

/** Lines of each with `with[]=products`. */
const MAX_LISTED = 100;

/** Shows a batch with its lines and its skipped rows, each with its reason in the caller's language. */
export function showRepricing(
  repricing: Repricing,
  lines: readonly RepricingLine[],
  skipped: readonly SkippedRow[],
  locale: Locale,
): Repricing {
  return {
    ...repricing,
    products: lines.slice(0, OF_ONE.lines),
    skipped_products: skipped.map((row) => ({ ...row, text: translate(locale, reasonOf(row)) })),
  };
}

function reasonOf({ reason, cost, cost_currency }: SkippedRow): MessageDescriptor {
  const currency = cost_currency ?? '';
  if (reason === 'cost_without_rate') return { key: 'repricing.cost_without_rate', with: { currency } };
  if (reason !== 'min_price_below_cost') return { key: `repricing.${reason}` };
  return { key: 'repricing.min_price_below_cost', with: { cost: (cost ?? 0) / 100, currency } };
}
