import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from 'aws-lambda';
import { LOCK, PENDING } from '#lib/table/items.ts';

/*
 * An item in a stream record, before or after a change. Each attribute is read separately and by its type: a
 * missing one, or one of an unexpected type, is undefined. So no item can block a shard.
 */

/** An item in the stream's format. */
export type Image = Readonly<Record<string, AttributeValue>>;

/** Attributes that a lock adds to an item. */
const LOCKS = new Set([LOCK, PENDING]);

/** Returns an image without its lock; undefined if the item is a placeholder that only bears the lock. */
export function imageWithoutLock(image: Image | undefined): Image | undefined {
  if (!image) return undefined;
  const isKey = (name: string) => name === 'pk' || name === 'sk';
  const names = Object.keys(image).filter((name) => !LOCKS.has(name));
  if (names.length < Object.keys(image).length && names.every(isKey)) return undefined;
  return Object.fromEntries(Object.entries(image).filter(([name]) => !LOCKS.has(name)));
}

/** Returns true if two images are equal. */
export function isSameImage(one: Image | undefined, other: Image | undefined): boolean {
  return isDeepStrictEqual(one, other);
}

/** Returns a numeric attribute of an image. */
export function numberOf(image: Image | undefined, name: string): number | undefined {
  const number = Number(image?.[name]?.N ?? Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}

/** Returns true if an attribute of an image is true. */
export function isTrue(image: Image | undefined, name: string): boolean {
  return image?.[name]?.BOOL === true;
}

/** Returns an attribute that is an object. */
export function objectOf(image: Image | undefined, name: string): Image | undefined {
  return image?.[name]?.M;
}

/** Returns the fields of an image as plain values. */
export function plainFields(image: Image): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, plainOf(value)]));
}

/** Returns an attribute as a plain value: a string, a number, a list, null; undefined for other types. */
export function plainOf(value: AttributeValue | undefined): unknown {
  if (value?.NULL) return null;
  if (value?.L) return value.L.map(plainOf);
  return value?.N === undefined ? value?.S : Number(value.N);
}
