import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import { NotYet } from '#lib/table/journal/contention.ts';
import type { SearchField, Source, Tenant } from '#lib/table/keys.ts';
import type { Localized } from '#lib/values/localized.ts';
import { Timestamp } from '#lib/values/time.ts';
import { stampModifier } from './last-modified.ts';
import { type Filters, fieldsCompared } from './query/filters.ts';
import type { SyncType } from './sync-type.ts';

/** The common fields of soft-deleted records. Part 1, "Shared conventions". */
export const recordFields = {
  id: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
  is_deleted: z.boolean(),
};

/** The common fields of a company family's records. */
export const companyRecordFields = {
  ...recordFields,
  company_id: z.int(),
  creator_id: z.int().nullable(),
};

/** The deletion mark of a record. */
export type Deletable = Pick<z.input<RecordSchema>, 'is_deleted'>;

/** A record's schema: its input is the stored form, its output the response. */
export type RecordSchema = z.ZodObject<typeof recordFields>;

/** A document's schema: its input is the stored form, its output the response. */
export type DocumentSchema = z.ZodType<unknown, { readonly id: number }>;

/** A type of records or documents, declared once beside its schema. */
export interface StoredType<S extends DocumentSchema> {
  /** The first part of its keys, and its counter's name. */
  readonly type: string;
  readonly schema: S;
  /** Its sync type, if families sync it; `lib/sync/` decides which records are synced. */
  readonly copied?: SyncType;
  /** Filters of its lists; `exact` filters have an index each, and cost the same at any size. */
  readonly filters?: Filters;
  /** Additional indexed fields: for a caller's reach, or for special lists. */
  readonly indexes?: readonly string[];
  /** Instants, besides `created_at`, by whose days lists of any size are filtered; they never change. */
  readonly days?: readonly string[];
  /** Fields that `filter[search]` looks at. */
  readonly search?: readonly SearchField[];
  /** Search texts of substring filters, by field. */
  readonly folded?: (stored: z.input<S>) => Readonly<Record<string, string | Localized>>;
}

/** Returns the source of a type's records or documents, for lists. */
export function sourceOf(
  {
    type,
    filters = {},
    indexes = [],
    days,
    search,
  }: Pick<StoredType<DocumentSchema>, 'type' | 'filters' | 'indexes' | 'days' | 'search'>,
  tenant: Tenant,
): Source {
  return {
    type,
    tenant,
    indexes: [...fieldsCompared(filters), ...indexes],
    ...(days && { days }),
    ...(search && { search }),
  };
}

/** Returns the item of a record or document in a version, stamped with its modifier. */
export function itemOf<S extends DocumentSchema>(
  { folded }: StoredType<S>,
  stored: z.input<S>,
  version: number,
): Item {
  return stampModifier({ ...stored, version, ...(folded && { folded: folded(stored) }) });
}

/** A stored record: `version` grows by one with every change. */
export type Stored<S extends z.ZodType> = z.input<S> & { readonly version: number };

/** Parses a stored record. Throws if it does not fit its schema, which is a defect. */
export function parseRecord<S extends z.ZodType>(schema: S, item: unknown): Stored<S> {
  const record = parseStored(schema, item);
  if (isVersioned(record)) return record;
  throw new Error('A stored record has no version');
}

/**
 * Parses a stored value. Throws if it does not fit the schema's input, which is a defect; `NotYet` if it is
 * undefined, as the caller has read data that implies its existence.
 */
export function parseStored<S extends z.ZodType>(schema: S, item: unknown): z.input<S> {
  if (item === undefined) throw new NotYet();
  if (fits(schema, item)) return item;
  throw new Error(
    `What is stored does not fit its schema: ${z.safeParse(inputSide(schema), item).error?.message}`,
  );
}

/** Parses a stored field, absent in records that predate it if its schema allows that. */
export function parseStoredField<S extends z.ZodType>(schema: S, value: unknown): z.input<S> {
  return fits(schema, value) ? value : parseStored(schema, value);
}

/** Returns whether two stored records show the same: a field that one of them predates has its default. */
export function showSame<S extends z.ZodType>(schema: S, before: z.input<S>, after: z.input<S>): boolean {
  return isDeepStrictEqual(schema.parse(before), schema.parse(after));
}

/** Parses a stored value likewise, and drops attributes that its schema does not contain. */
export function parseStoredKnown<S extends z.ZodType>(schema: S, item: unknown): z.input<S> {
  return parseStored(schema, z.safeParse(inputSide(schema), item).data);
}

/** Returns true if a record exists and is not deleted. */
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
 * Returns the schema of a schema's input: every codec and transformation in it is replaced by its input. It
 * accepts stored values and renders none of them. Checks on lists and whole objects concern the output, and
 * are dropped. Cached by schema.
 */
function inputSide(schema: Schema): Schema {
  const cached = mirrors.get(schema);
  if (cached) return cached;
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
  // A field with a default may be omitted in the input.
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return z.optional(inputSide(schema.def.innerType));
  }
  return schema;
}

function recordMirror(schema: z.ZodRecord): Schema {
  // Cloned: only the definition shows whether keys may be missing.
  return schema.clone({ ...schema.def, valueType: inputSide(schema.def.valueType), checks: [] });
}

function objectMirror({ def }: z.ZodObject): Schema {
  const fields = Object.entries(def.shape).map(([name, field]) => [name, inputSide(field)]);
  return z.object(Object.fromEntries(fields));
}
