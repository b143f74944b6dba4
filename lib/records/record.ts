import type * as z from 'zod';
import type { Write } from '#lib/table/change/write.ts';
import { type Home, type Place, recordKey, type Source } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { getItem } from '#lib/table/read/get.ts';
import type { Page } from '#lib/table/read/request.ts';

import type { Claim } from '#lib/table/transaction/names.ts';
import type { Localized } from '#lib/values/localized.ts';
import { missing } from '#lib/values/refusal.ts';
import { type Embed, embed } from './query/embeds.ts';
import { type Filters, fieldsCompared } from './query/filters.ts';
import type { ListQuery } from './query/list-query.ts';
import { type RecordSchema, type Stored, vouchRecord } from './stored.ts';

/** A type of soft-deleted reference record, declared once beside its schema. */
export interface RecordType<S extends RecordSchema> {
  /** The first part of its keys, and its counter's name. */
  readonly type: string;
  readonly schema: S;
  /** What its lists are filtered by; `exact` filters cost the same at any size, by an index each. */
  readonly filters?: Filters;
  /** Further fields that have an index each, for lists with filters of their own. */
  readonly indexes?: readonly string[];
  /** Further homes that list it: each holds a copy, and all change in one transaction. */
  readonly copies?: (record: z.input<S>) => readonly Home[];
  /** Names that must be unique, within the home unless they say otherwise. */
  readonly names?: (record: z.input<S>, home: Home) => readonly Claim[];
  /** Folded texts that substring filters look through, by field. */
  readonly folded?: (record: z.input<S>) => Readonly<Record<string, string | Localized>>;
  /**
   * Further writes and conditions of the same transaction, whenever one is made (`before` undefined) or
   * changed.
   */
  readonly alsoWrites?: (home: Home, before: z.input<S> | undefined, after: z.input<S>) => readonly Write[];
  /** Further writes of an edit, which need reads of their own. */
  readonly furtherWrites?: (home: Home, before: z.input<S>, after: z.input<S>) => Promise<readonly Write[]>;
}

/** The place of a record, by its type. */
export interface RecordPlace<S extends RecordSchema> extends Omit<Place, 'type'> {
  readonly type: RecordType<S>;
}

/** Reads one page of a home's records. */
export async function listRecords<S extends RecordSchema>(
  type: RecordType<S>,
  home: Home,
  query: ListQuery,
): Promise<Page<Stored<S>>> {
  const page = await listItems(recordSource(type, home), query);
  const rows = await embed(page.rows, query.embeds);
  return { ...page, rows: rows.map((row) => vouchRecord(type.schema, row)) };
}

/** Reads a record that is not deleted, with what was asked for. 404 otherwise. */
export async function getRecord<S extends RecordSchema>(
  place: RecordPlace<S>,
  embeds: readonly Embed[] = [],
): Promise<Stored<S>> {
  const record = await findRecord(place);
  if (!record || record.is_deleted) throw missing();
  const [whole] = await embed([record], embeds);
  return vouchRecord(place.type.schema, whole);
}

/** Reads a record, deleted or not; undefined if there is none. */
export async function findRecord<S extends RecordSchema>(
  place: RecordPlace<S>,
): Promise<Stored<S> | undefined> {
  const { type, home, id } = place;
  const item = await getItem(recordKey(type.type, home, id));
  return item && vouchRecord(type.schema, item);
}

/** Says where the records of a type are, for lists. */
export function recordSource<S extends RecordSchema>(
  { type, filters = {}, indexes = [] }: RecordType<S>,
  home: Home,
): Source {
  return { type, home, indexes: ['is_deleted', ...fieldsCompared(filters), ...indexes] };
}
