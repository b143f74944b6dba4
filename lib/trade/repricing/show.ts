import type { Repricing, RepricingLine, SkippedRow } from '#lib/catalog/repricing/record.ts';
import { type Phrase, say } from '#lib/values/say.ts';
import type { Locale } from '#lib/values/text.ts';

/**
 * What is shown of a batch beside its header: no answer passes the 6 MB of a call, whatever stands on the
 * cards.
 */
export interface Extent {
  readonly lines: number;
  /** As many lines as have their cards with them, of up to twelve kilobytes each. */
  readonly cards: number;
  readonly skipped: number;
}

/** What one batch shows at the most. */
export const OF_ONE = { lines: 1000, cards: 100, skipped: 10_000 };

/** What each batch of a list shows at the most. */
export const OF_EACH = { lines: 20, cards: 20, skipped: 100 };

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
    skipped_products: skipped.map((row) => ({ ...row, text: say(locale, reasonOf(row)) })),
  };
}

function reasonOf({ reason, cost, cost_currency }: SkippedRow): Phrase {
  const currency = cost_currency ?? '';
  if (reason === 'cost_without_rate') return { key: 'repricing.cost_without_rate', with: { currency } };
  if (reason !== 'min_price_below_cost') return { key: `repricing.${reason}` };
  return { key: 'repricing.min_price_below_cost', with: { cost: (cost ?? 0) / 100, currency } };
}
