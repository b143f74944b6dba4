import type * as z from 'zod';
import type { Write } from '#lib/table/change/write.ts';
import { all, type Expression } from '#lib/table/expression.ts';
import { type Key, type RecordRef, recordKey, type Source, type Tenant } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { getItem } from '#lib/table/read/get.ts';
import type { Page } from '#lib/table/read/request.ts';
import type { UniqueConstraint } from '#lib/table/transaction/unique-constraints.ts';
import { type ApiError, invalid, notFound } from '#lib/values/api-error.ts';
import { type Embed, type Embeds, embed } from './query/embeds.ts';
import type { ListQuery } from './query/list-query.ts';
import type { Reference } from './references.ts';
import { parseRecord, type RecordSchema, type Stored, type StoredType, sourceOf } from './stored.ts';

/** A type of soft-deleted reference record, declared once beside its schema. */
export interface RecordType<S extends RecordSchema> extends StoredType<S> {
  /** Sort fields of its lists, and embeds of its responses. */
  readonly sorts?: readonly string[];
  readonly embeds?: Embeds;
  /** Maximum page size, if the contract gives its list another one than the owner's lists have. */
  readonly pageSize?: number;
  /** Other tenants that list it: each has a copy, and all change in one transaction. */
  readonly copies?: (record: z.input<S>) => readonly Tenant[];
  /** Unique names, within the tenant unless they have another scope. */
  readonly names?: (record: z.input<S>, tenant: Tenant) => readonly UniqueConstraint[];
  /** Its references: the target must exist, and counts them. */
  readonly references?: (record: z.input<S>) => readonly Reference[];
  /** The error for deleting a referenced record. */
  readonly inUse?: ApiError;
  /** Additional stored attributes for a change, not in its schema and in no response. */
  readonly keeps?: (before: z.input<S> | undefined, after: z.input<S>) => object;
  /** Additional writes and conditions of its transaction; `before` is undefined for a new one. */
  readonly alsoWrites?: (
    tenant: Tenant,
    before: z.input<S> | undefined,
    after: z.input<S>,
  ) => readonly Write[];
  /** Additional writes of an edit, which need their own reads. */
  readonly furtherWrites?: (
    tenant: Tenant,
    before: z.input<S>,
    after: z.input<S>,
  ) => Promise<readonly Write[]>;
}

/** A record reference with its record type. */
export interface TypedRecordRef<S extends RecordSchema> extends Omit<RecordRef, 'type'> {
  readonly type: RecordType<S>;
}

/** Reads one page of a tenant's records. */
export async function listRecords<S extends RecordSchema>(
  type: RecordType<S>,
  tenant: Tenant,
  query: ListQuery,
): Promise<Page<Stored<S>>> {
  const page = await listItems(recordSource(type, tenant), query);
  const rows = await embed(page.rows, query.embeds);
  return { ...page, rows: rows.map((row) => parseRecord(type.schema, row)) };
}

/** Reads a record that is not deleted, with the requested embeds. 404 otherwise. */
export async function getRecord<S extends RecordSchema>(
  place: TypedRecordRef<S>,
  embeds: readonly Embed[] = [],
): Promise<Stored<S>> {
  const record = await findRecord(place);
  if (!record || record.is_deleted) throw notFound();
  const [whole] = await embed([record], embeds);
  return parseRecord(place.type.schema, whole);
}

/** Reads a record, deleted or not; undefined if it doesn't exist. */
export async function findRecord<S extends RecordSchema>({ type, tenant, id }: TypedRecordRef<S>) {
  const item = await getItem(recordKey(type.type, tenant, id));
  return item && parseRecord(type.schema, item);
}

/** Returns the source of a type's records, for lists. */
export function recordSource<S extends RecordSchema>(type: RecordType<S>, tenant: Tenant): Source {
  return sourceOf({ ...type, indexes: ['is_deleted', ...(type.indexes ?? [])] }, tenant);
}

/** Scope of a type's readable records, by caller. */
export interface Readable<A> {
  readonly homeOf: (actor: A) => Tenant;
  /** The tenant with the listed copies, if it is another one. */
  readonly listHomeOf?: (actor: A) => Tenant;
  /** Conditions on a record within the caller's reach, besides its tenant. */
  readonly reach?: (actor: A) => readonly Expression[];
  /** Embeds of every response, for fields stored in other items. */
  readonly alwaysEmbeds?: (tenant: Tenant) => readonly Embed[];
}

/** Reads records of a type for callers. Its methods may be detached and passed on. */
export class Reader<S extends RecordSchema, A> {
  readonly type: RecordType<S>;
  readonly homeOf: (actor: A) => Tenant;
  readonly #listHomeOf: (actor: A) => Tenant;
  readonly #reach: NonNullable<Readable<A>['reach']>;
  readonly alwaysEmbeds: NonNullable<Readable<A>['alwaysEmbeds']>;

  constructor(type: RecordType<S>, owner: Readable<A>) {
    const { homeOf, listHomeOf = homeOf, reach = () => [], alwaysEmbeds = () => [] } = owner;
    this.type = type;
    this.homeOf = homeOf;
    this.#listHomeOf = listHomeOf;
    this.#reach = reach;
    this.alwaysEmbeds = alwaysEmbeds;
  }

  /** Lists records without the embeds of every response. */
  readonly listBare = (actor: A, query: ListQuery) =>
    listRecords(this.type, this.#listHomeOf(actor), {
      ...query,
      where: [...query.where, ...this.#reach(actor)],
    });

  readonly list = (actor: A, query: ListQuery) =>
    this.listBare(actor, { ...query, embeds: [...this.alwaysEmbeds(this.homeOf(actor)), ...query.embeds] });

  readonly get = async (actor: A, id: number, embeds: readonly Embed[] = []) => {
    const place = this.placeOf(actor, id);
    return this.requireReach(actor, await getRecord(place, [...this.alwaysEmbeds(place.tenant), ...embeds]));
  };

  /** Reads a record within reach, deleted or not. 404 otherwise. */
  readonly find = async (actor: A, id: number) =>
    this.requireReach(actor, await findRecord(this.placeOf(actor, id)));

  /** Requires the record that a body refers to. 422 on the path if it doesn't exist or is out of reach. */
  readonly require = async (actor: A, id: number, path: string): Promise<Stored<S>> => {
    const record = this.ifVisible(actor, await findRecord(this.placeOf(actor, id)));
    if (record) return record;
    throw invalid({ [path]: 'validation.not_found' });
  };

  /** Returns the key of a record, for reading it together with other items. */
  readonly keyOf = (actor: A, id: number): Key => recordKey(this.type.type, this.homeOf(actor), id);

  /** Parses an item as a record; undefined if it is missing, deleted or out of reach. */
  readonly ifVisible = (actor: A, item: unknown): Stored<S> | undefined => {
    const record = item === undefined ? undefined : parseRecord(this.type.schema, item);
    return record && !record.is_deleted && this.isInReach(actor, record) ? record : undefined;
  };

  placeOf(actor: A, id: number) {
    return { type: this.type, tenant: this.homeOf(actor), id };
  }

  isInReach(actor: A, record: Stored<S>): boolean {
    return all(this.#reach(actor)).matches(record);
  }

  /** Requires a record to exist and to be within reach. 404 otherwise. */
  requireReach(actor: A, record: Stored<S> | undefined): Stored<S> {
    if (!record || !this.isInReach(actor, record)) throw notFound();
    return record;
  }
}
