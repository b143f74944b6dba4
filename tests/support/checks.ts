import type { Write } from '#lib/table/change/write.ts';
import type { Key } from '#lib/table/keys.ts';

/** Lists checks of items, to be taken before they are read. */
export function checksOf(keys: readonly Key[]): Write[] {
  return keys.map((key) => ({ key, change: { kind: 'check' } }));
}
