import { put, type Write } from '#lib/table/change/write.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import type { Instant } from '#lib/values/time.ts';

/** Returns the key of the marker that an initial set of records was created. */
export function markerKey(what: string): Key {
  return { pk: 'first-records', sk: what };
}

/** Returns whether it was created before. */
export async function hasRun(what: string): Promise<boolean> {
  return (await getItem(markerKey(what))) !== undefined;
}

/**
 * Creates an initial set of records unless it was created before, even if changed since. Returns the sets
 * created, `[]` or `[what]`. `make` writes the marker with its last records. If interrupted it is run again,
 * so it must be idempotent.
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
