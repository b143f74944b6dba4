import { createHash } from 'node:crypto';
import type { Item } from '#lib/table/client.ts';
import { type Key, padId, type Source } from '#lib/table/keys.ts';
import { ZONE } from '#lib/values/time.ts';
import { CREATED_AT } from './days.ts';

/** A value of a field, as text: the name of its index. */
export interface IndexedValue {
  readonly field: string;
  readonly text: string;
}

/** The value whose index holds all records of a source. */
export const ALL: IndexedValue = { field: '*', text: '*' };

/** The place of a source's indexes: those being built anew are beside the ones in use. */
export interface IndexLocation {
  readonly source: Source;
  readonly generation: number;
}

/** A key is 1 KB at most. */
const LONGEST_TEXT = 200;

/**
 * Gives the text of a value that has an index: of a word, a number or a flag. Null for any other, and for
 * none.
 */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const text = JSON.stringify(value);
  return text.length > LONGEST_TEXT ? createHash('sha256').update(text).digest('base64url') : text;
}

/** Gives the texts of a record's indexed fields. */
export function textsOf(fields: readonly string[], record: Item): Record<string, string | null> {
  return Object.fromEntries(fields.map((field) => [field, textOf(record[field])]));
}

/** Names the partition of all values of a field. */
export function fieldPartition(
  { source: { type, tenant }, generation }: IndexLocation,
  field: string,
): string {
  return `index#${type}#${tenant}#${generation}#${field}`;
}

/** Gives the key of a value's index. */
export function indexKey(place: IndexLocation, { field, text }: IndexedValue): Key {
  return { pk: fieldPartition(place, field), sk: text };
}

/** Names the partition of a value's chunks. */
export function chunkPartition(place: IndexLocation, { field, text }: IndexedValue): string {
  return `${fieldPartition(place, field)}#${text}`;
}

/** Gives the key of a chunk: in the order of ids, and never the key of an earlier chunk. */
export function chunkKey(
  pk: string,
  { first, name }: { readonly first: number; readonly name: number },
): Key {
  return { pk, sk: `${padId(first)}-${name}` };
}

/** Gives the key of the days of an instant of a source's records, which are days in one time zone. */
export function daysKey(place: IndexLocation, instant: string): Key {
  const of = instant === CREATED_AT ? '' : `${instant}-`;
  return { pk: fieldPartition(place, ALL.field), sk: `days-${of}${ZONE}` };
}
