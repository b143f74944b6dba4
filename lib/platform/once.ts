import type { Key } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/reads.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { put } from '#lib/table/transaction/write.ts';
import type { Instant } from '#lib/values/time.ts';

/** Where it is kept that something the platform begins with has been made. */
export function markerKey(what: string): Key {
  return { pk: 'first-records', sk: what };
}

/** Tells whether it has been made before. */
export async function isMade(what: string): Promise<boolean> {
  return (await getItem(markerKey(what))) !== undefined;
}

/**
 * Makes what the platform begins with, unless that has been done: then it is left alone, whatever has become of it.
 * Answers with what was made, `[]` or `[what]`. What was broken off is done again, so it must bear that.
 */
export async function once(what: string, at: Instant, make: () => Promise<void>): Promise<string[]> {
  if (await isMade(what)) return [];
  await make();
  await transact([put(markerKey(what), { made_at: at })]);
  return [what];
}
