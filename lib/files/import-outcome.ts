import * as z from 'zod';
import { type Locale, SUCCESS } from '#lib/values/text.ts';

/** What an import did, in rows of its file. Part 4, 4.3; Contract 9.139. */
export const ImportOutcome = z.object({
  message: z.string(),
  created: z.int(),
  changed: z.int(),
  restored: z.int(),
  /** Rows that change nothing, repetitions of others among them. */
  same: z.int(),
});

/** Rows of an import by what became of them. */
export type ImportCounts = Omit<z.output<typeof ImportOutcome>, 'message' | 'same'>;

/** Makes the outcome of an import: the rows that count as nothing else are the same as before. */
export function importOutcome(locale: Locale, rows: number, counts: ImportCounts) {
  const { created, changed, restored } = counts;
  return { message: SUCCESS[locale], ...counts, same: rows - created - changed - restored };
}
