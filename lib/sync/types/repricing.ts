import {
  Repricing,
  RepricingLine,
  repricings,
  SKIPPED_ROW,
  SkippedRow,
} from '#lib/catalog/repricing/record.ts';
import { readLinesOfAll } from '#lib/records/lines.ts';
import { parseStored } from '#lib/records/stored.ts';
import {
  defineSyncWithLines,
  linesField,
  type ReadParts,
  readLinesOf,
} from '#lib/sync/definition/with-lines.ts';
import { OF_EACH, showRepricing } from '#lib/trade/repricing/repricing.ts';

const CopiedRepricing = Repricing.omit({ creator: true }).extend(
  linesField(RepricingLine.omit({ product: true })),
);

const readLines = readLinesOf(repricings);

const readParts: ReadParts = async (heads, view) => {
  const { tenant } = view.actor;
  const max = view.isWhole ? Number.POSITIVE_INFINITY : OF_EACH.skipped;
  const all = heads.map((head) => parseStored(Repricing, head));
  const skippedOf = all.map(({ id, skipped_count }) => ({
    place: { type: SKIPPED_ROW, tenant, id },
    count: Math.min(skipped_count, max),
  }));
  const [lines, skipped] = await Promise.all([readLines(heads, view), readLinesOfAll(skippedOf)]);
  return all.map((repricing, index) => {
    const [part, rows] = [lines[index], skipped[index]];
    if (!part || !rows) return undefined;
    const shown = rows.slice(0, max).map((row) => parseStored(SkippedRow, row));
    const { skipped_products } = showRepricing(repricing, [], shown, view.locale);
    return { ...part, skipped_products };
  });
};

/** Sync of repricings, each with the skipped rows that the list shows, or all of them. */
export const repricingSync = () => defineSyncWithLines(repricings, CopiedRepricing, readParts);
