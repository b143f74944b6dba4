import * as z from 'zod';
import { type Locale, SUCCESS } from '#lib/values/text.ts';

/** The result of an import, in rows of its file. Part 4, 4.3; Contract 9.139. */
export const ImportOutcome = z.object({
  message: z.string(),
  created: z.int(),
  changed: z.int(),
  restored: z.int(),
  /** Rows without a change, including duplicates of other rows. */
  same: z.int(),
});

/** Numbers of rows by result. */
export type ImportCounts = Omit<z.output<typeof ImportOutcome>, 'message' | 'same'>;

/** Returns the result of an import: rows not counted otherwise are unchanged. */
export function importOutcome(locale: Locale, rows: number, counts: ImportCounts) {
  const { created, changed, restored } = counts;
  return { message: SUCCESS[locale], ...counts, same: rows - created - changed - restored };
}
