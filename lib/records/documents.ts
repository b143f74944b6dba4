import type * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { all, type Expression, equals } from '#lib/table/expression.ts';
import { type Home, recordKey } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list.ts';
import type { Page } from '#lib/table/list-request.ts';
import { getItem } from '#lib/table/reads.ts';
import { requireFreshId } from '#lib/table/sequences.ts';
import { put, putNew, type Write } from '#lib/table/write.ts';
import { missing } from '#lib/values/refusal.ts';
import { type Embed, embed } from './embeds.ts';
import type { ListQuery } from './list-query.ts';
import { type Stored, stored, vouched } from './stored.ts';

/**
 * A type of document: it goes through states and is never deleted, so that unlike a record it has no `is_deleted`.
 * Its list's query string is a `documentQuery`.
 */
export interface DocumentType<S extends DocumentSchema> {
  /** The first part of its keys, and its counter's name. */
  readonly type: string;
  readonly schema: S;
  /** What must hold of one for a caller to reach it, beside being of their family. */
  readonly reach?: (actor: Staff) => Reach;
}

/** What must hold of a document: of what never changes in it, which a list of any size can do, and of what may. */
interface Reach {
  readonly settled?: readonly Expression[];
  readonly where?: readonly Expression[];
}

/** A document's schema: its input is what the table holds, its output what a caller sees. */
export type DocumentSchema = z.ZodType<unknown, { readonly id: number }>;

/** One page of the documents within the caller's reach. */
export async function listDocuments<S extends DocumentSchema>(
  { type, schema, reach }: DocumentType<S>,
  actor: Staff,
  query: ListQuery,
): Promise<Page<z.input<S>>> {
  const reached = reach?.(actor);
  const settled = [...query.settled, ...(reached?.settled ?? [])];
  const where = [...query.where, ...(reached?.where ?? [])];
  const page = await listItems({ type, home: actor.home }, { ...query, settled, where });
  const rows = await embed(page.rows, query.embeds);
  return { ...page, rows: rows.map((row) => vouched(schema, row)) };
}

/** A document, with what was asked for. 404 where there is none or it is out of the caller's reach. */
export async function getDocument<S extends DocumentSchema>(
  type: DocumentType<S>,
  actor: Staff,
  id: number,
  embeds: readonly Embed[] = [],
): Promise<Stored<S>> {
  const item = await getItem(recordKey(type.type, actor.home, id));
  const { settled = [], where = [] } = type.reach?.(actor) ?? {};
  if (!item || !all([...settled, ...where]).holds(item)) throw missing();
  const [whole] = await embed([item], embeds);
  return stored(type.schema, whole);
}

/** The write of a new document. */
export function documentInsertion<S extends DocumentSchema>(
  { type }: DocumentType<S>,
  home: Home,
  document: z.input<S>,
): Write {
  requireFreshId(type, home, document.id);
  return putNew(recordKey(type, home, document.id), { ...document, version: 1 });
}

/** The write that puts a document in the place of what was read; `Contention` where it has changed since. */
export function documentReplacement<S extends DocumentSchema>(
  { type }: DocumentType<S>,
  home: Home,
  before: Stored<S>,
  after: z.input<S>,
): Write {
  const unchanged = { if: equals('version', before.version) };
  return put(recordKey(type, home, after.id), { ...after, version: before.version + 1 }, unchanged);
}
