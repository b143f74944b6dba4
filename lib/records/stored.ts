import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import { NotYet } from '#lib/table/journal/contention.ts';
import type { Source, Tenant } from '#lib/table/keys.ts';
import type { Localized } from '#lib/values/localized.ts';
import { Timestamp } from '#lib/values/time.ts';
import { stampModifier } from './last-modified.ts';
import { type Filters, fieldsCompared } from './query/filters.ts';
import type { SyncType } from './sync-type.ts';

/** The fields of every soft-deleted record, beside its own. Part 1, "Shared conventions". */
export const recordFields = {
  id: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
  is_deleted: z.boolean(),
};

/** The same for the records of a company family. */
export const companyRecordFields = {
  ...recordFields,
  company_id: z.int(),
  creator_id: z.int().nullable(),
};

/** The deletion mark of a record. */
export type Deletable = Pick<z.input<RecordSchema>, 'is_deleted'>;

/** A record's schema: its input is what the table holds, its output what a caller sees. */
export type RecordSchema = z.ZodObject<typeof recordFields>;

/** A document's schema: its input is what the table holds, its output what a caller sees. */
export type DocumentSchema = z.ZodType<unknown, { readonly id: number }>;

/** A type of records or documents, declared once beside its schema. */
export interface StoredType<S extends DocumentSchema> {
  /** The first part of its keys, and its counter's name. */
  readonly type: string;
  readonly schema: S;
  /** Its type in copies, if families copy what is of it; `lib/sync/` says what of it is copied. */
  readonly copied?: SyncType;
  /** What its lists are filtered by; `exact` filters cost the same at any size, by an index each. */
  readonly filters?: Filters;
  /** Further fields that have an index each: a caller's reach goes by them, or a list of its own. */
  readonly indexes?: readonly string[];
  /** Instants, beside `created_at`, by whose days lists of any size are filtered; they never change. */
  readonly days?: readonly string[];
  /** Folded texts that substring filters look through, by field. */
  readonly folded?: (stored: z.input<S>) => Readonly<Record<string, string | Localized>>;
}

/** Says where what is of a type is, for lists. */
export function sourceOf(
  {
    type,
    filters = {},
    indexes = [],
    days,
  }: Pick<StoredType<DocumentSchema>, 'type' | 'filters' | 'indexes' | 'days'>,
  tenant: Tenant,
): Source {
  return { type, tenant, indexes: [...fieldsCompared(filters), ...indexes], ...(days && { days }) };
}

/** Makes the item of a record or document in a version, with who makes it. */
export function itemOf<S extends DocumentSchema>(
  { folded }: StoredType<S>,
  stored: z.input<S>,
  version: number,
): Item {
  return stampModifier({ ...stored, version, ...(folded && { folded: folded(stored) }) });
}

/** A record as the table holds it: `version` grows by one with every change. */
export type Stored<S extends z.ZodType> = z.input<S> & { readonly version: number };

/** Vouches that an item has every field of its schema. Throws if it doesn't, which is a defect. */
export function parseRecord<S extends z.ZodType>(schema: S, item: unknown): Stored<S> {
  const record = parseStored(schema, item);
  if (isVersioned(record)) return record;
  throw new Error('A stored record has no version');
}

/**
 * Vouches that a value fits a schema's input. Throws if it doesn't, which is a defect; `NotYet` if there is
 * none, as whoever vouches for it has seen something that is not there without it.
 */
export function parseStored<S extends z.ZodType>(schema: S, item: unknown): z.input<S> {
  if (item === undefined) throw new NotYet();
  if (fits(schema, item)) return item;
  throw new Error(
    `What is stored does not fit its schema: ${z.safeParse(inputSide(schema), item).error?.message}`,
  );
}

/** Vouches for an item in the same way, and leaves out what its schema does not name. */
export function parseStoredKnown<S extends z.ZodType>(schema: S, item: unknown): z.input<S> {
  return parseStored(schema, z.safeParse(inputSide(schema), item).data);
}

/** Tells whether a record is there and not deleted. */
export function isPresent(item: Item | undefined): item is Item {
  return item?.['is_deleted'] === false;
}

function fits<S extends z.ZodType>(schema: S, item: unknown): item is z.input<S> {
  return z.safeParse(inputSide(schema), item).success;
}

function isVersioned<T>(record: T): record is T & { readonly version: number } {
  return (
    typeof record === 'object' && record !== null && 'version' in record && Number.isInteger(record.version)
  );
}

type Schema = z.core.$ZodType;

const mirrors = new WeakMap<Schema, Schema>();

/**
 * Makes the schema of a schema's input, without a way to its output: every codec and transformation in it is
 * replaced by its input. It accepts what the table holds and renders none of it. Limits on lists and whole
 * objects concern the output, and fall away. Made once for each schema.
 */
function inputSide(schema: Schema): Schema {
  const known = mirrors.get(schema);
  if (known) return known;
  const mirror = mirrorOf(schema);
  mirrors.set(schema, mirror);
  return mirror;
}

function mirrorOf(schema: Schema): Schema {
  if (schema instanceof z.ZodPipe) return inputSide(schema.def.in);
  if (schema instanceof z.ZodObject) return objectMirror(schema);
  if (schema instanceof z.ZodArray) return z.array(inputSide(schema.def.element));
  if (schema instanceof z.ZodRecord) return recordMirror(schema);
  if (schema instanceof z.ZodUnion) return z.union(schema.def.options.map(inputSide));
  if (schema instanceof z.ZodIntersection) {
    return z.intersection(inputSide(schema.def.left), inputSide(schema.def.right));
  }
  return wrapperMirror(schema);
}

function wrapperMirror(schema: Schema): Schema {
  if (schema instanceof z.ZodNullable) return z.nullable(inputSide(schema.def.innerType));
  // A field with a default may be left out of the input.
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return z.optional(inputSide(schema.def.innerType));
  }
  return schema;
}

function recordMirror(schema: z.ZodRecord): Schema {
  // A clone: nothing else says whether keys may be missing.
  return schema.clone({ ...schema.def, valueType: inputSide(schema.def.valueType), checks: [] });
}

function objectMirror({ def }: z.ZodObject): Schema {
  const fields = Object.entries(def.shape).map(([name, field]) => [name, inputSide(field)]);
  return z.object(Object.fromEntries(fields));
}
