import * as z from 'zod';
import { Timestamp } from '#lib/values/time.ts';
import { heldSide } from './held.ts';

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

/** A record as the table holds it: `version` grows by one with every change. */
export type Stored<S extends z.ZodType> = z.input<S> & { readonly version: number };

/** Vouches that an item has every field of its schema. Throws if it doesn't, which is a defect. */
export function stored<S extends z.ZodType>(schema: S, item: unknown): Stored<S> {
  const record = vouched(schema, item);
  if (isVersioned(record)) return record;
  throw new Error('A stored record has no version');
}

/** Vouches that a value fits a schema's input. Throws if it doesn't, which is a defect. */
export function vouched<S extends z.ZodType>(schema: S, item: unknown): z.input<S> {
  if (fits(schema, item)) return item;
  throw new Error(
    `What is stored does not fit its schema: ${z.safeParse(heldSide(schema), item).error?.message}`,
  );
}

function fits<S extends z.ZodType>(schema: S, item: unknown): item is z.input<S> {
  return z.safeParse(heldSide(schema), item).success;
}

function isVersioned<T>(record: T): record is T & { readonly version: number } {
  return (
    typeof record === 'object' && record !== null && 'version' in record && Number.isInteger(record.version)
  );
}
