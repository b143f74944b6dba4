import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import {
  Repricing,
  RepricingLine,
  repricings,
  SKIPPED_ROW,
  SkippedRow,
} from '#lib/catalog/repricing/record.ts';
import { creatorEmbed } from '#lib/people/user/colleague.ts';
import { getDocument, listDocuments, requireUnchanged } from '#lib/records/documents.ts';
import { readLines } from '#lib/records/lines.ts';
import { type Embed, linesEmbed } from '#lib/records/query/embeds.ts';
import { documentQuery, embedQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import type { RecordRef, Tenant } from '#lib/table/keys.ts';
import type { Page } from '#lib/table/read/request.ts';
import { requestContext } from '#lib/table/request-context.ts';
import { retryOnContention } from '#lib/table/transaction/transact.ts';
import { fitLines } from '#lib/trade/document/response-size.ts';
import { withProducts } from '#lib/trade/document/show.ts';
import { type MessageDescriptor, REVEALING, translate, withCostHidden } from '#lib/values/message.ts';
import type { Locale } from '#lib/values/text.ts';

/**
 * Lists the batches of the companies open to the caller. With `with[]=products` each has its first hundred
 * lines, consistent with it: a batch changes once at most, and is then read again. Part 4, 4.1.
 */
export function list(actor: Staff, query: ListQuery, locale: Locale): Promise<Page<Repricing>> {
  return retryOnContention(() => readList(actor, query, locale));
}

async function readList(actor: Staff, query: ListQuery, locale: Locale): Promise<Page<Repricing>> {
  const page = await listDocuments(repricings, actor, query);
  const [isLong, hasCards] = [linesEmbed, requestedLines].map((each) => query.embeds.includes(each));
  const lines = isLong ? MAX_LISTED : hasCards ? OF_EACH.lines : 0;
  const max = { ...OF_EACH, lines, cards: hasCards ? OF_EACH.cards : 0 };
  const rows = await Promise.all(page.rows.map((row) => fill(actor.tenant, row, max, locale)));
  return { ...page, rows: isLong ? limitResponse(rows) : rows };
}

/** Omits the lines that would exceed the limit of a response. */
function limitResponse(rows: readonly Repricing[]): Repricing[] {
  const heads = rows.map(({ products: _, ...head }) => head);
  const schemas = { row: Repricing.omit({ products: true }), line: RepricingLine };
  const shown = fitLines(
    schemas,
    heads,
    rows.map(({ products }) => products ?? []),
  );
  return heads.map((head, index) => ({ ...head, ...shown[index] }));
}

/** Reads a batch with its creator, its first lines, the first of them with cards, and the skipped rows. */
export function get(actor: Staff, id: number, locale: Locale): Promise<Repricing> {
  return retryOnContention(async () =>
    fill(actor.tenant, await getDocument(repricings, actor, id, [creatorEmbed]), OF_ONE, locale),
  );
}

/** Returns the place of a batch. */
export function repricingRef(tenant: Tenant, id: number): RecordRef {
  return { type: repricings.type, tenant, id };
}

const Versioned = z.object({ version: z.int() });

/** Adds a batch's lines and skipped rows. Two or three round trips. */
async function fill(tenant: Tenant, repricing: Repricing, max: Extent, locale: Locale): Promise<Repricing> {
  const { id, products_count, skipped_count } = repricing;
  const place = repricingRef(tenant, id);
  const shownCount = Math.min(products_count, max.lines);
  const skippedCount = Math.min(skipped_count, max.skipped);
  const [lines, skipped] = await Promise.all([
    readLines(RepricingLine, place, shownCount),
    readLines(SkippedRow, { type: SKIPPED_ROW, tenant, id }, skippedCount),
  ]);
  const [shown] = await Promise.all([
    withProducts(RepricingLine, tenant, lines.slice(0, max.lines), max.cards),
    // Any other batch never changes.
    repricing.status === 'planned' && requireUnchanged(place, Versioned.parse(repricing)),
  ]);
  const { products, skipped_products } = showRepricing(
    repricing,
    shown,
    skipped.slice(0, max.skipped),
    locale,
  );
  return { ...repricing, ...(max.lines > 0 && { products }), skipped_products };
}

/** Marks that lines are requested, which are stored apart from the rows: the list operation adds them. */
const requestedLines: Embed = { field: 'products', keysOf: () => [], shape: () => [] };

const embeds = { 'creator.profile': creatorEmbed, 'products.product': requestedLines };

/** Query string of the list. Part 2, "Repricing batches". */
export const RepricingList = documentQuery(repricings.filters, {
  sorts: ['id'],
  embeds: { ...embeds, products: linesEmbed },
});

/** Query string of a single batch, which always includes all embeds. */
export const RepricingEmbeds = embedQuery({ embeds });

/**
 * Extent of a batch's details, such that no response exceeds the 6 MB of a call, even with the largest cards.
 */
interface Extent {
  readonly lines: number;
  /** Lines with cards, of up to twelve kilobytes each. */
  readonly cards: number;
  readonly skipped: number;
}

/** Extent for a single batch. */
export const OF_ONE = { lines: 1000, cards: 100, skipped: 10_000 };

/** Extent for each batch of a list. */
export const OF_EACH = { lines: 20, cards: 20, skipped: 100 };

/** Lines per batch with `with[]=products`. */
const MAX_LISTED = 100;

/** Returns a batch with its lines and skipped rows, with reasons in the caller's language. */
export function showRepricing(
  repricing: Repricing,
  lines: readonly RepricingLine[],
  skipped: readonly SkippedRow[],
  locale: Locale,
): Repricing {
  return {
    ...repricing,
    products: lines.slice(0, OF_ONE.lines),
    skipped_products: skipped.map((row) => {
      const reason = reasonOf(row);
      const shown = requestContext().hidesCosts ? withCostHidden(reason) : reason;
      return { ...row, text: translate(locale, shown) };
    }),
  };
}

function reasonOf({ reason, cost, cost_currency }: SkippedRow): MessageDescriptor {
  const currency = cost_currency ?? '';
  if (reason === 'cost_without_rate') return { key: 'repricing.cost_without_rate', with: { currency } };
  if (reason !== 'min_price_below_cost') return { key: `repricing.${reason}` };
  return { key: 'repricing.min_price_below_cost', with: { cost: (cost ?? 0) / 100, currency, ...REVEALING } };
}
