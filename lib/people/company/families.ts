import * as z from 'zod';
import { companies } from '#lib/people/company/record.ts';
import { PLATFORM, partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';

/** Companies per step, whose families are processed concurrently. */
const STEP = 50;

/** A main company. */
export const MainCompany = z.object({ id: z.int(), parent_id: z.null() });

/**
 * Lists the families of the platform by their main companies' ids, a step at a time. Deleted companies are
 * included: they may be restored.
 */
export async function* everyFamily(): AsyncGenerator<number[], undefined> {
  for await (const items of walk(partition(companies.type, PLATFORM), STEP)) {
    yield items.flatMap((item) => MainCompany.safeParse(item).data?.id ?? []);
  }
}
