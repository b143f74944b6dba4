import * as z from 'zod';
import type { Write } from '#lib/table/change/write.ts';
import { withoutErrors } from '#lib/table/change/writes.ts';
import { withoutIds } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { type Locale, SUCCESS } from '#lib/values/text.ts';

/** The result of an import, in rows of its file. Part 4, 4.3; Contract 9.139. */
export const ImportOutcome = z.object({
  message: z.string(),
  /** True if nothing was written, as requested. Part 5, 5B.9, 1. */
  is_dry_run: z.boolean(),
  created: z.int(),
  changed: z.int(),
  restored: z.int(),
  /** Rows without a change, including duplicates of other rows. */
  same: z.int(),
});

/** Form field to try an import: nothing is written. Part 5, 5B.9, 1. */
export const importFields = { dry_run: z.boolean().default(false) };

/** The body of an import: its rows by number. */
interface Import {
  readonly rows: Readonly<Record<string, unknown>>;
  readonly dry_run: boolean;
}

/** The writes of an import, and its rows by result. */
interface ImportPlan {
  readonly writes: readonly Write[];
  readonly created: number;
  readonly changed: number;
  readonly restored: number;
}

/**
 * Executes all writes of an import or none, with `dry_run` none, and returns its result: rows not counted
 * otherwise are unchanged. If the data changes between the read and the write, the whole plan is made again.
 */
export async function runImport(
  { rows, dry_run: isDryRun }: Import,
  locale: Locale,
  plan: () => Promise<ImportPlan>,
) {
  const { created, changed, restored } = isDryRun
    ? await withoutIds(plan)
    : await retryOnContention(async () => {
        const made = await plan();
        await transact(withoutErrors(made.writes));
        return made;
      });
  const same = Object.keys(rows).length - created - changed - restored;
  return { message: SUCCESS[locale], is_dry_run: isDryRun, created, changed, restored, same };
}
