import * as z from 'zod';
import { invalid } from '#lib/values/api-error.ts';
import { amount, Money } from '#lib/values/money.ts';

/**
 * Ends of the segments of goods by their share of the revenue, in percent, which are held in 1/100: of A
 * and of B. A family has those of its main company. Part 4, 4.5, 4.
 */
export const ReportSettings = z.object({ abc_segment_a: Money, abc_segment_b: Money });

export type ReportSettings = Readonly<z.input<typeof ReportSettings>>;

const Segment = amount(0.01, 99.99);

/** Input to change them; what is left out stays. */
export const ReportSettingsInput = z.object({ abc_segment_a: Segment, abc_segment_b: Segment }).partial();

const FIRST: ReportSettings = { abc_segment_a: 80_00, abc_segment_b: 95_00 };

/** Reads where a main company's segments end: at 80 and 95 percent, until it says otherwise. */
export function reportSettingsOf({
  report_settings,
}: {
  readonly report_settings?: ReportSettings | undefined;
}): ReportSettings {
  return report_settings ?? FIRST;
}

/** Shows where segments end in the fields of a company: those of its main company. Part 4, 4.5, 4. */
export function segmentEnds(main: Parameters<typeof reportSettingsOf>[0]) {
  const { abc_segment_a, abc_segment_b } = reportSettingsOf(main);
  return { abc_segment_a: abc_segment_a / 100, abc_segment_b: abc_segment_b / 100 };
}

/** Changes them. 422 if B does not end after A. */
export function mergeReportSettings(
  before: ReportSettings,
  changes: z.output<typeof ReportSettingsInput>,
): ReportSettings {
  const { abc_segment_a = before.abc_segment_a, abc_segment_b = before.abc_segment_b } = changes;
  if (abc_segment_a < abc_segment_b) return { abc_segment_a, abc_segment_b };
  const field = changes.abc_segment_b === undefined ? 'abc_segment_a' : 'abc_segment_b';
  throw invalid({ [`report_settings.${field}`]: 'company.segments_overlap' });
}
