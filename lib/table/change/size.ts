import type { Item } from '#lib/table/client.ts';

const measured = new WeakMap<Item, number>();

/** Measures an item as AWS counts it: names, and values by their kind. Each item is measured once. */
export function bytesOf(item: Item): number {
  const bytes = measured.get(item) ?? sizeOfAll(item);
  measured.set(item, bytes);
  return bytes;
}

function sizeOfAll(item: Item): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + sizeOf(value),
    0,
  );
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return sizeOfNumber(value);
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + sizeOf(each) + 1, 3);
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).reduce(
      (sum, [name, each]) => sum + Buffer.byteLength(name) + sizeOf(each) + 1,
      3,
    );
  }
  return value === undefined ? 0 : 1;
}

// Two digits take a byte, sign and magnitude one more.
function sizeOfNumber(value: number): number {
  return Math.ceil(String(Math.abs(value)).replace(/^0+|[.]|0+$/g, '').length / 2) + 1;
}
