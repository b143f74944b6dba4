import { makerOf, type Staff } from '#lib/access/actor.ts';

import { documentInsertion } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Home } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import type { Instant } from '#lib/values/time.ts';
import { type PriceChange, repricingLine } from './line.ts';
import {
  REPRICING_LINE,
  type Repricing,
  type RepricingLine,
  repricings,
  SKIPPED_ROW,
  type SkippedRow,
} from './record.ts';

/** Makes the writes of a batch with its lines and the rows that were skipped. */
export function repricingWrites(
  home: Home,
  repricing: Repricing,
  lines: readonly RepricingLine[],
  skipped: readonly SkippedRow[] = [],
): Write[] {
  return [
    documentInsertion(repricings, home, repricing),
    ...lineWrites({ type: repricings.type, home, id: repricing.id }, lines),
    ...lineWrites({ type: SKIPPED_ROW, home, id: repricing.id }, skipped),
  ];
}

/**
 * Makes the writes of the batch that a card or a receipt leaves in the transaction that changes prices: one
 * batch for all of them, none if no price changes. Decisions, 9 (32).
 */
export async function singleRepricing(
  actor: Staff,
  company_id: number,
  changes: readonly PriceChange[],
  at: Instant,
): Promise<Write[]> {
  const { home } = actor;
  const priced = changes.filter(isOfPrice);
  if (priced.length === 0) return [];
  const [id, firstLine] = await Promise.all([
    nextId(repricings.type, home),
    nextId(REPRICING_LINE, home, priced.length),
  ]);
  const repricing: Repricing = {
    id,
    company_id,
    ...makerOf(actor),
    rounding_type: null,
    currency_rate: null,
    type: 'single',
    products_count: priced.length,
    skipped_count: 0,
    markup_summary: null,
    created_at: at,
  };
  const unrecorded = { markup_percent: null, price_without_rounding: null };
  const lines = priced.map((change, index) =>
    repricingLine(repricing, firstLine + index, change, unrecorded),
  );
  return repricingWrites(home, repricing, lines);
}

function isOfPrice({ before, after }: PriceChange): boolean {
  return before.sale_price !== after.sale_price || before.sale_currency !== after.sale_currency;
}
