import { put, type Write } from '#lib/table/change/write.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import type { Instant } from '#lib/values/time.ts';

/** Gives the key of the note that something the platform begins with has been made. */
export function markerKey(what: string): Key {
  return { pk: 'first-records', sk: what };
}

/** Tells whether it has been made before. */
export async function hasRun(what: string): Promise<boolean> {
  return (await getItem(markerKey(what))) !== undefined;
}

/**
 * Makes something that the platform begins with, unless it was made before: then it is left alone, whatever
 * has become of it. Answers with what was made, `[]` or `[what]`. `make` writes the note of that beside the
 * last that it makes. If it breaks off it is run again, so it must be idempotent.
 */
export async function runOnceEver(
  what: string,
  at: Instant,
  make: (note: Write) => Promise<void>,
): Promise<string[]> {
  if (await hasRun(what)) return [];
  await make(put(markerKey(what), { made_at: at }));
  return [what];
}
