import { itemAfter } from '#lib/table/change/item-after.ts';
import { type Guard, MOST_BYTES, type Write } from '#lib/table/change/write.ts';
import { getRawItems } from '#lib/table/items.ts';
import type { Key } from '#lib/table/keys.ts';
import { bytesOf } from '#lib/table/size.ts';
import { refuse } from '#lib/values/refusal.ts';

/** An item that a journal takes, what must hold of it, and its size before or after, the larger one. */
export interface Take {
  readonly key: Key;
  readonly guard?: Guard | undefined;
  readonly bytes: number;
}

/**
 * Makes the takes of writes. Items of which no write tells the size are read, in one round trip. They may
 * grow before they are taken, so both limits leave room. 400 if one would be larger than the table accepts:
 * after the commit it would be too late.
 */
export async function takesOf(writes: readonly Write[]): Promise<Take[]> {
  const unknown = writes.filter(({ bytes }) => bytes === undefined);
  const items = await getRawItems(unknown.map(({ key }) => key));
  const read = new Map(
    unknown.map(({ key, change }, index) => {
      const before = items[index] ?? { ...key };
      const after = bytesOf(itemAfter(change, before) ?? {});
      if (after > MOST_BYTES) throw refuse('document.too_large');
      return [key, Math.max(bytesOf(before), after)];
    }),
  );
  return writes.map(({ key, guard, bytes = read.get(key) ?? 0 }) => ({ key, guard, bytes }));
}
