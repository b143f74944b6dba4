import type { Item } from '#lib/table/client.ts';
import { absent, type Expression } from '#lib/table/expression.ts';
import type { Key } from '#lib/table/keys.ts';
import type { ApiError } from '#lib/values/api-error.ts';
import { type Changes, changeBetween, type Target, updateOf } from './change.ts';
import type { IndexNotice } from './index-notice.ts';

/** A write condition, and the error for the caller if it fails. */
export interface WriteCondition {
  readonly if: Expression;
  /**
   * If omitted, a failure is `Contention`: the state has changed since it was read, and the work is retried.
   */
  readonly otherwise?: ApiError;
}

/** One change of one item, for `transact`. */
export interface Write extends Target {
  readonly guard?: WriteCondition | undefined;
  /** A standing lock that the write accepts on its item; none if omitted. */
  readonly under?: string;
  /** A notice for the index worker, sent after the commit. */
  readonly notice?: IndexNotice | undefined;
  /** Replacement writes, used if the transaction has room for more actions: they leave the item smaller. */
  readonly ifRoom?: readonly Write[] | undefined;
  /** The larger size of its item, before or after the write. Unknown if omitted. */
  readonly bytes?: number;
}

/** Below DynamoDB's limit of 400 KB for an item: the key and a journal's lock need some of it. */
export const MAX_BYTES = 380_000;

/** Assumed size of an item of unknown size, of up to a hundred: counters, marks and headers are smaller. */
const UNKNOWN_BYTES = 30_000;

/** Writes a whole item; it replaces an existing one unless the guard forbids it. */
export function put(key: Key, item: Item, guard?: WriteCondition): Write {
  return { key, change: { kind: 'put', item }, guard };
}

/** Writes an item that must not exist yet. */
export function putNew(key: Key, item: Item, otherwise?: ApiError): Write {
  const guard = { if: absent('pk'), ...(otherwise && { otherwise }) };
  return { key, change: { kind: 'put', item }, guard, bytes: bytesOf(item) };
}

/**
 * Turns an item that was read into another, and writes only the difference. The guard must require that the
 * item has not changed since the read.
 */
export function replace(key: Key, before: Item, after: Item, guard: WriteCondition): Write {
  return {
    key,
    change: changeBetween(before, after),
    guard,
    bytes: Math.max(bytesOf(before), bytesOf(after)),
  };
}

/** Changes attributes of an item. */
export function update(key: Key, changes: Changes, guard?: WriteCondition): Write {
  return { key, change: updateOf(changes), guard };
}

/** Removes an item. */
export function remove(key: Key, guard?: WriteCondition): Write {
  return { key, change: { kind: 'remove' }, guard };
}

/** Requires a condition of an item that the transaction does not change. */
export function check(key: Key, guard: WriteCondition): Write {
  return { key, change: { kind: 'check' }, guard };
}

/** Returns the item's size after a write in bytes, as far as the write contains it. */
export function bytesIn({ change, bytes = 0 }: Write): number {
  if (change.kind === 'put') return bytesOf(change.item);
  return change.kind === 'update' ? Math.max(bytes, bytesOf(change.set)) : 0;
}

/** Returns the bytes that a write counts towards the limit of a native transaction. */
export function bytesCounted(write: Write): number {
  return write.bytes ?? Math.max(UNKNOWN_BYTES, bytesIn(write));
}

const measured = new WeakMap<Item, number>();

/** Returns an item's size as AWS counts it: names, and values by their type. Cached by item. */
export function bytesOf(item: Item): number {
  const bytes = measured.get(item) ?? sizeOfAll(item);
  measured.set(item, bytes);
  return bytes;
}

function sizeOfAll(fields: object): number {
  return Object.entries(fields).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + sizeOf(value),
    0,
  );
}

function sizeOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return sizeOfNumber(value);
  if (value instanceof Uint8Array) return value.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + sizeOf(each) + 1, 3);
  if (typeof value === 'object' && value !== null) return 3 + Object.keys(value).length + sizeOfAll(value);
  return value === undefined ? 0 : 1;
}

// Two digits take a byte, sign and magnitude one more.
function sizeOfNumber(value: number): number {
  return Math.ceil(String(Math.abs(value)).replace(/^0+|[.]|0+$/g, '').length / 2) + 1;
}
