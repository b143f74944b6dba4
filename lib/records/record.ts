import type * as z from 'zod';
import { put, putNew, remove as removeItem, replace, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { equals } from '#lib/table/expression.ts';
import { type Home, type Place, recordKey } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { changeWrites } from '#lib/table/list-index/changes.ts';
import { insertionNotice } from '#lib/table/list-index/notice.ts';
import { getItem } from '#lib/table/read/get.ts';
import type { Page, Source } from '#lib/table/rows/request.ts';
import { requireFreshId } from '#lib/table/sequences.ts';
import { type Claim, moveNames } from '#lib/table/transaction/names.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Localized } from '#lib/values/localized.ts';
import { missing } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { type Embed, embed } from './embeds.ts';
import type { ListQuery } from './list-query.ts';
import { requireVersion } from './precondition.ts';
import { type RecordSchema, type Stored, stored } from './stored.ts';

/** A type of soft-deleted reference record, declared once beside its schema. */
export interface RecordType<S extends RecordSchema> {
  /** The first part of its keys, and its counter's name. */
  readonly type: string;
  readonly schema: S;
  /**
   * Fields beside `is_deleted` that its lists filter by and that have an index each: they cost the same at
   * any size.
   */
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
  const page = await listItems(sourceOf(type, home), query);
  const rows = await embed(page.rows, query.embeds);
  return { ...page, rows: rows.map((row) => stored(type.schema, row)) };
}

/** Reads a record that is not deleted, with what was asked for. 404 otherwise. */
export async function getRecord<S extends RecordSchema>(
  place: RecordPlace<S>,
  embeds: readonly Embed[] = [],
): Promise<Stored<S>> {
  const record = await findRecord(place);
  if (!record || record.is_deleted) throw missing();
  const [whole] = await embed([record], embeds);
  return stored(place.type.schema, whole);
}

/** Reads a record, deleted or not; undefined if there is none. */
export async function findRecord<S extends RecordSchema>(
  place: RecordPlace<S>,
): Promise<Stored<S> | undefined> {
  const { type, home, id } = place;
  const item = await getItem(recordKey(type.type, home, id));
  return item && stored(type.schema, item);
}

/** Builds the writes that make a new record and take its names. 422 on a name that is taken. */
export function insertion<S extends RecordSchema>(
  type: RecordType<S>,
  home: Home,
  record: z.input<S>,
): Write[] {
  requireFreshId(type.type, home, record.id);
  const item = itemOf(type, record, 1);
  return [
    ...homesOf(type, home, record).map((each) => ({
      ...putNew(recordKey(type.type, each, record.id), item),
      ...(each === home && insertionNotice(sourceOf(type, home), record.id)),
    })),
    ...moveNames(type.type, record.id, [], type.names?.(record, home) ?? []),
    ...(type.alsoWrites?.(home, undefined, record) ?? []),
  ];
}

/** Makes a new record. 422 on a name that is taken. */
export async function insertRecord<S extends RecordSchema>(
  type: RecordType<S>,
  home: Home,
  record: z.input<S>,
): Promise<z.input<S>> {
  await transact(insertion(type, home, record));
  return record;
}

/** Builds the writes that replace a record as it was read; they fail if it has changed since. */
export function replacement<S extends RecordSchema>(
  type: RecordType<S>,
  home: Home,
  before: Stored<S>,
  after: z.input<S>,
): Write[] {
  const item = itemOf(type, after, before.version + 1);
  const unchanged = { if: equals('version', before.version) };
  const held = homesOf(type, home, before);
  const wanted = homesOf(type, home, after);
  return [
    ...wanted.map((each) => {
      const key = recordKey(type.type, each, after.id);
      return held.includes(each) ? replace(key, { ...before }, item, unchanged) : put(key, item);
    }),
    ...held
      .filter((each) => !wanted.includes(each))
      .map((each) => removeItem(recordKey(type.type, each, after.id), unchanged)),
    ...changeWrites(sourceOf(type, home), before, after),
    ...moveNames(type.type, after.id, type.names?.(before, home) ?? [], type.names?.(after, home) ?? []),
    ...(type.alsoWrites?.(home, before, after) ?? []),
  ];
}

/**
 * Changes a record that is not deleted: `change` maps the current record to the new one, and may run again if
 * another change came first. 404 for an unknown or deleted record, 412 if the caller has seen another
 * version, 422 on a name that is taken.
 */
export async function editRecord<S extends RecordSchema>(
  place: RecordPlace<S>,
  at: Instant,
  change: (before: Stored<S>) => z.input<S> | Promise<z.input<S>>,
): Promise<z.input<S>> {
  const { type, home } = place;
  return retryOnContention(async () => {
    const before = await getRecord(place);
    const after = { ...(await change(before)), updated_at: at };
    requireVersion(before);
    const further = (await type.furtherWrites?.(home, before, after)) ?? [];
    await transact([...replacement(type, home, before, after), ...further]);
    return after;
  });
}

/**
 * Takes a deletion back. 404 for an unknown record or one that is not deleted. Decisions, 1, "Soft-deleted
 * records".
 */
export async function restoreRecord<S extends RecordSchema>(
  place: RecordPlace<S>,
  at: Instant,
): Promise<void> {
  await retryOnContention(async () => {
    const before = await findRecord(place);
    if (!before?.is_deleted) throw missing();
    requireVersion(before);
    await transact(
      replacement(place.type, place.home, before, { ...before, is_deleted: false, updated_at: at }),
    );
  });
}

function sourceOf<S extends RecordSchema>({ type, indexes = [] }: RecordType<S>, home: Home): Source {
  return { type, home, indexes: ['is_deleted', ...indexes] };
}

function homesOf<S extends RecordSchema>(type: RecordType<S>, home: Home, record: z.input<S>): Home[] {
  return [...new Set([home, ...(type.copies?.(record) ?? [])])];
}

function itemOf<S extends RecordSchema>(type: RecordType<S>, record: z.input<S>, version: number): Item {
  return { ...record, version, ...(type.folded && { folded: type.folded(record) }) };
}
