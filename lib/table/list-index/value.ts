import { createHash } from 'node:crypto';
import type { Item } from '#lib/table/client.ts';
import type { Key } from '#lib/table/keys.ts';
import { paddedId } from '#lib/table/keys.ts';
import type { Source } from '#lib/table/list/request.ts';
import { ZONE } from '#lib/values/time.ts';

/** A value that a field may have, as text: what an index is known by. */
export interface Value {
  readonly field: string;
  readonly text: string;
}

/** What the index of all records of a source is known by. */
export const ALL: Value = { field: '*', text: '*' };

/** Where a source's indexes stand: those that are built anew stand beside the ones in use. */
export interface IndexPlace {
  readonly source: Source;
  readonly generation: number;
}

/** A key is 1 KB at most. */
const LONGEST_TEXT = 200;

/** The text of a value that has an index: of a word, a number or a flag. Null for any other, and where there is none. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return null;
  const text = JSON.stringify(value);
  return text.length > LONGEST_TEXT ? createHash('sha256').update(text).digest('base64url') : text;
}

/** The texts of a record's indexed fields. */
export function textsOf(fields: readonly string[], record: Item): Record<string, string | null> {
  return Object.fromEntries(fields.map((field) => [field, textOf(record[field])]));
}

/** The partition of all values of a field. */
export function fieldPartition({ source: { type, home }, generation }: IndexPlace, field: string): string {
  return `index#${type}#${home}#${generation}#${field}`;
}

/** Where the index of a value stands. */
export function indexKey(place: IndexPlace, { field, text }: Value): Key {
  return { pk: fieldPartition(place, field), sk: text };
}

/** The partition of a value's chunks. */
export function chunkPartition(place: IndexPlace, { field, text }: Value): string {
  return `${fieldPartition(place, field)}#${text}`;
}

/** Where a chunk stands: in the order of ids, and never where another one did. */
export function chunkKey(
  pk: string,
  { first, name }: { readonly first: number; readonly name: number },
): Key {
  return { pk, sk: `${paddedId(first)}-${name}` };
}

/** Where the days of a source's records stand, which are days in one zone. */
export function daysKey(place: IndexPlace): Key {
  return { pk: fieldPartition(place, ALL.field), sk: `days-${ZONE}` };
}
