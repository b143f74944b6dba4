import * as z from 'zod';
import { invalid } from '#lib/values/api-error.ts';
import { amount, Money } from '#lib/values/money.ts';

/**
 * Ends of the ABC segments A and B by share of revenue, stored in hundredths of a percent. A family uses its
 * main company's. Part 4, 4.5, 4.
 */
export const ReportSettings = z.object({ abc_segment_a: Money, abc_segment_b: Money });

export type ReportSettings = Readonly<z.input<typeof ReportSettings>>;

const Segment = amount(0.01, 99.99);

/** Input to edit them; omitted fields stay. */
export const ReportSettingsInput = z.object({ abc_segment_a: Segment, abc_segment_b: Segment }).partial();

const DEFAULTS: ReportSettings = { abc_segment_a: 80_00, abc_segment_b: 95_00 };

/** Returns the segment ends of a main company; by default 80 and 95 percent. */
export function reportSettingsOf({
  report_settings,
}: {
  readonly report_settings?: ReportSettings | undefined;
}): ReportSettings {
  return report_settings ?? DEFAULTS;
}

/** Returns the segment ends as company fields: those of its main company. Part 4, 4.5, 4. */
export function segmentEnds(main: Parameters<typeof reportSettingsOf>[0]) {
  const { abc_segment_a, abc_segment_b } = reportSettingsOf(main);
  return { abc_segment_a: abc_segment_a / 100, abc_segment_b: abc_segment_b / 100 };
}

/** Edits them. 422 if B does not end after A. */
export function mergeReportSettings(
  before: ReportSettings,
  changes: z.output<typeof ReportSettingsInput>,
): ReportSettings {
  const { abc_segment_a = before.abc_segment_a, abc_segment_b = before.abc_segment_b } = changes;
  if (abc_segment_a < abc_segment_b) return { abc_segment_a, abc_segment_b };
  const field = changes.abc_segment_b === undefined ? 'abc_segment_a' : 'abc_segment_b';
  throw invalid({ [`report_settings.${field}`]: 'company.segments_overlap' });
}
