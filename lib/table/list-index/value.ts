import { createHash } from 'node:crypto';
import type { Item } from '#lib/table/client.ts';
import { type Key, padId, type Source } from '#lib/table/keys.ts';
import { ZONE } from '#lib/values/time.ts';
import { CREATED_AT } from './days.ts';

/** A value of a field, as text, which identifies its index. */
export interface IndexedValue {
  readonly field: string;
  readonly text: string;
}

/** The pseudo-value whose index contains all records of a source. */
export const ALL: IndexedValue = { field: '*', text: '*' };

/** The location of a source's indexes: a rebuild has another generation. */
export interface IndexLocation {
  readonly source: Source;
  readonly generation: number;
}

/** Keeps keys below DynamoDB's limit of 1 KB. */
const LONGEST_TEXT = 200;

/** Returns the text of an indexable value: a string, number or boolean. Null for any other value. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const text = JSON.stringify(value);
  return text.length > LONGEST_TEXT ? createHash('sha256').update(text).digest('base64url') : text;
}

/** Returns the texts of a record's indexed fields. */
export function textsOf(fields: readonly string[], record: Item): Record<string, string | null> {
  return Object.fromEntries(fields.map((field) => [field, textOf(record[field])]));
}

/** Returns the partition of all values of a field. */
export function fieldPartition(
  { source: { type, tenant }, generation }: IndexLocation,
  field: string,
): string {
  return `index#${type}#${tenant}#${generation}#${field}`;
}

/** Returns the key of a value's index. */
export function indexKey(place: IndexLocation, { field, text }: IndexedValue): Key {
  return { pk: fieldPartition(place, field), sk: text };
}

/** Returns the partition of a value's chunks. */
export function chunkPartition(place: IndexLocation, { field, text }: IndexedValue): string {
  return `${fieldPartition(place, field)}#${text}`;
}

/** Returns the key of a chunk: sorted by id, and never reused. */
export function chunkKey(
  pk: string,
  { first, name }: { readonly first: number; readonly name: number },
): Key {
  return { pk, sk: `${padId(first)}-${name}` };
}

/** Returns the key of the days of an instant of a source's records, in the current time zone. */
export function daysKey(place: IndexLocation, instant: string): Key {
  const of = instant === CREATED_AT ? '' : `${instant}-`;
  return { pk: fieldPartition(place, ALL.field), sk: `days-${of}${ZONE}` };
}
