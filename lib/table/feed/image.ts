import { isDeepStrictEqual } from 'node:util';
import type { AttributeValue } from 'aws-lambda';
import { LOCK, PENDING } from '#lib/table/items.ts';

/*
 * An item in a record of the stream, before or after a change. Each attribute is read by itself and by its
 * kind: one that is not there, or is another kind than thought, is undefined. So no item can stop a shard.
 */

/** An item as the stream writes it. */
export type Image = Readonly<Record<string, AttributeValue>>;

/** Attributes that a transaction puts on an item it has taken. */
const LOCKS = new Set([LOCK, PENDING]);

/** Gives an image without what locks it; undefined if the item was only made to bear the lock. */
export function imageWithoutLock(image: Image | undefined): Image | undefined {
  if (!image) return undefined;
  const isKey = (name: string) => name === 'pk' || name === 'sk';
  const names = Object.keys(image).filter((name) => !LOCKS.has(name));
  if (names.length < Object.keys(image).length && names.every(isKey)) return undefined;
  return Object.fromEntries(Object.entries(image).filter(([name]) => !LOCKS.has(name)));
}

/** Tells whether two images hold the same. */
export function isSameImage(one: Image | undefined, other: Image | undefined): boolean {
  return isDeepStrictEqual(one, other);
}

/** Reads a number off an image. */
export function numberOf(image: Image | undefined, name: string): number | undefined {
  const number = Number(image?.[name]?.N ?? Number.NaN);
  return Number.isFinite(number) ? number : undefined;
}

/** Tells whether an attribute of an image is true. */
export function isTrue(image: Image | undefined, name: string): boolean {
  return image?.[name]?.BOOL === true;
}

/** Reads an attribute that is an object. */
export function objectOf(image: Image | undefined, name: string): Image | undefined {
  return image?.[name]?.M;
}

/** Reads the fields of an image as plain values. */
export function plainFields(image: Image): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, plainOf(value)]));
}

/** Reads an attribute as a plain value: a text, a number, a list, null; undefined for another kind. */
export function plainOf(value: AttributeValue | undefined): unknown {
  if (value?.NULL) return null;
  if (value?.L) return value.L.map(plainOf);
  return value?.N === undefined ? value?.S : Number(value.N);
}
