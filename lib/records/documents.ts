import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { insertionNotice } from '#lib/table/change/index-notice.ts';
import { putNew, replace, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { all, type Expression, equals } from '#lib/table/expression.ts';
import { keyOfItem, type RecordRef, recordKey, type Tenant } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { changeWrites } from '#lib/table/list-index/changes.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import type { ListRequest, Page } from '#lib/table/read/request.ts';
import { requireFreshId } from '#lib/table/sequences.ts';
import { Contention } from '#lib/table/transaction/transact.ts';
import { notFound } from '#lib/values/api-error.ts';
import { requireVersion } from './precondition.ts';
import { type Embed, embed } from './query/embeds.ts';
import type { ListQuery } from './query/list-query.ts';
import { addUpRows } from './query/totals.ts';
import {
  type DocumentSchema,
  itemOf,
  parseRecord,
  parseStored,
  type Stored,
  type StoredType,
  sourceOf,
} from './stored.ts';

/**
 * A type of document. It goes through states and is never deleted, so unlike a record it has no `is_deleted`.
 * The query string of its list is a `documentQuery`.
 */
export interface DocumentType<S extends DocumentSchema> extends StoredType<S> {
  /** Conditions on a document within the caller's reach, besides the family. */
  readonly reach?: (actor: Staff) => readonly Expression[];
  /** Adds conditions on ids, for filters that a unique constraint resolves. */
  readonly narrow?: (tenant: Tenant, where: readonly Expression[]) => Promise<readonly Expression[]>;
}

/**
 * Reads one page of stored documents within the caller's reach, without embeds; with their totals if
 * requested, which look at the rows of all pages.
 */
export async function listBareDocuments<S extends DocumentSchema>(
  type: DocumentType<S>,
  actor: Staff,
  { totals, ...query }: ListRequest & Pick<ListQuery, 'totals'>,
): Promise<Page<Item>> {
  const where = await documentConditions(type, actor, query);
  const source = sourceOf(type, actor.tenant);
  const { all = [], ...page } = await listItems(source, { ...query, where, hasAll: totals !== undefined });
  return { ...page, ...(totals && { totals: addUpRows(totals, all) }) };
}

/** Returns the conditions of a query on documents within the caller's reach. */
export async function documentConditions<S extends DocumentSchema>(
  { reach, narrow }: DocumentType<S>,
  actor: Staff,
  { where }: Pick<ListRequest, 'where'>,
): Promise<Expression[]> {
  const narrowed = narrow ? await narrow(actor.tenant, where) : where;
  return [...narrowed, ...(reach?.(actor) ?? [])];
}

/** Reads one page of the documents within the caller's reach. */
export async function listDocuments<S extends DocumentSchema>(
  type: DocumentType<S>,
  actor: Staff,
  query: ListQuery,
): Promise<Page<z.input<S>>> {
  const page = await listBareDocuments(type, actor, query);
  const rows = await embed(page.rows, query.embeds);
  return { ...page, rows: rows.map((row) => parseStored(type.schema, row)) };
}

/** Reads a document, with the requested embeds. 404 if it doesn't exist or is out of the caller's reach. */
export async function getDocument<S extends DocumentSchema>(
  type: DocumentType<S>,
  actor: Staff,
  id: number,
  embeds: readonly Embed[] = [],
): Promise<Stored<S>> {
  const item = await itemInReach(type, actor, id);
  if (!item) throw notFound();
  const [whole] = await embed([item], embeds);
  return parseRecord(type.schema, whole);
}

/**
 * Reads the document that a call changes. 404 if it doesn't exist or is out of the caller's reach, 412 if the
 * caller has seen another version.
 */
export async function getDocumentToChange<S extends DocumentSchema>(
  type: DocumentType<S>,
  actor: Staff,
  id: number,
): Promise<Stored<S>> {
  const document = await getDocument(type, actor, id);
  requireVersion(document);
  return document;
}

/**
 * Reads the document that a body refers to; undefined if it doesn't exist or is out of the caller's reach.
 */
export async function findDocument<S extends DocumentSchema>(
  type: DocumentType<S>,
  actor: Staff,
  id: number,
): Promise<Stored<S> | undefined> {
  const item = await itemInReach(type, actor, id);
  return item && parseRecord(type.schema, item);
}

/** Requires that a document has not changed since it was read; `Contention` otherwise. One round trip. */
export async function requireUnchanged(place: RecordRef, read: { readonly version: number }): Promise<void> {
  const item = await getItem(recordKey(place.type, place.tenant, place.id));
  if (item?.['version'] !== read.version) throw new Contention();
}

/** Requires that rows have not changed since they were read; `Contention` otherwise. One round trip. */
export async function requireAllUnchanged(rows: readonly Item[]): Promise<void> {
  const items = await getItems(rows.map(keyOfItem));
  const isSame = items.every((item, index) => item?.['version'] === rows[index]?.['version']);
  if (!isSame) throw new Contention();
}

/** Builds the write of a new document. */
export function documentInsertion<S extends DocumentSchema>(
  type: DocumentType<S>,
  tenant: Tenant,
  document: z.input<S>,
): Write {
  requireFreshId(type.type, tenant, document.id);
  const write = putNew(recordKey(type.type, tenant, document.id), itemOf(type, document, 1));
  return { ...write, ...insertionNotice(sourceOf(type, tenant), document.id) };
}

/** Builds the writes that replace a document as it was read; `Contention` if it has changed since. */
export function documentReplacement<S extends DocumentSchema>(
  type: DocumentType<S>,
  tenant: Tenant,
  before: Stored<S>,
  after: z.input<S>,
): Write[] {
  const unchanged = { if: equals('version', before.version) };
  const item = itemOf(type, after, before.version + 1);
  return [
    replace(recordKey(type.type, tenant, after.id), { ...before }, item, unchanged),
    ...changeWrites(sourceOf(type, tenant), before, { ...after }),
  ];
}

async function itemInReach<S extends DocumentSchema>(
  { type, reach }: DocumentType<S>,
  actor: Staff,
  id: number,
) {
  const item = await getItem(recordKey(type, actor.tenant, id));
  return item && all(reach?.(actor) ?? []).matches(item) ? item : undefined;
}
