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
  /** What its lists may be sorted by, and what answers may embed. */
  readonly sorts?: readonly string[];
  readonly embeds?: Embeds;
  /** Rows of a page at most, if the contract gives its list another number than its owner's lists have. */
  readonly pageSize?: number;
  /** Further homes that list it: each holds a copy, and all change in one transaction. */
  readonly copies?: (record: z.input<S>) => readonly Tenant[];
  /** Names that must be unique, within the home unless they say otherwise. */
  readonly names?: (record: z.input<S>, tenant: Tenant) => readonly UniqueConstraint[];
  /** What it points at: that must exist, and is counted. */
  readonly references?: (record: z.input<S>) => readonly Reference[];
  /** Refuses to delete one while anything points at it. */
  readonly inUse?: ApiError;
  /** What its item keeps of a change beside the fields of its schema: no answer shows it. */
  readonly keeps?: (before: z.input<S> | undefined, after: z.input<S>) => object;
  /** Further writes and conditions of its transaction; `before` is undefined for a new one. */
  readonly alsoWrites?: (
    tenant: Tenant,
    before: z.input<S> | undefined,
    after: z.input<S>,
  ) => readonly Write[];
  /** Further writes of an edit, which need reads of their own. */
  readonly furtherWrites?: (
    tenant: Tenant,
    before: z.input<S>,
    after: z.input<S>,
  ) => Promise<readonly Write[]>;
}

/** The place of a record, by its type. */
export interface TypedRecordRef<S extends RecordSchema> extends Omit<RecordRef, 'type'> {
  readonly type: RecordType<S>;
}

/** Reads one page of a home's records. */
export async function listRecords<S extends RecordSchema>(
  type: RecordType<S>,
  tenant: Tenant,
  query: ListQuery,
): Promise<Page<Stored<S>>> {
  const page = await listItems(recordSource(type, tenant), query);
  const rows = await embed(page.rows, query.embeds);
  return { ...page, rows: rows.map((row) => parseRecord(type.schema, row)) };
}

/** Reads a record that is not deleted, with what was asked for. 404 otherwise. */
export async function getRecord<S extends RecordSchema>(
  place: TypedRecordRef<S>,
  embeds: readonly Embed[] = [],
): Promise<Stored<S>> {
  const record = await findRecord(place);
  if (!record || record.is_deleted) throw notFound();
  const [whole] = await embed([record], embeds);
  return parseRecord(place.type.schema, whole);
}

/** Reads a record, deleted or not; undefined if there is none. */
export async function findRecord<S extends RecordSchema>({ type, tenant, id }: TypedRecordRef<S>) {
  const item = await getItem(recordKey(type.type, tenant, id));
  return item && parseRecord(type.schema, item);
}

/** Says where the records of a type are, for lists. */
export function recordSource<S extends RecordSchema>(type: RecordType<S>, tenant: Tenant): Source {
  return sourceOf({ ...type, indexes: ['is_deleted', ...(type.indexes ?? [])] }, tenant);
}

/** Which of a type's records callers read. */
export interface Readable<A> {
  readonly homeOf: (actor: A) => Tenant;
  /** The home whose copies are listed, if it is another. */
  readonly listHomeOf?: (actor: A) => Tenant;
  /** Conditions on a record for a caller to reach it, beside being in their home. */
  readonly reach?: (actor: A) => readonly Expression[];
  /** Embeds in every answer, of fields that the record itself does not hold. */
  readonly alwaysEmbeds?: (tenant: Tenant) => readonly Embed[];
}

/** Reads records of a type for callers. Its operations may be taken out of it one by one. */
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

  /** Lists records without the embeds of every answer. */
  readonly listBare = (actor: A, query: ListQuery) =>
    listRecords(this.type, this.#listHomeOf(actor), {
      ...query,
      where: [...query.where, ...this.#reach(actor)],
    });

  readonly list = (actor: A, query: ListQuery) =>
    this.listBare(actor, { ...query, embeds: [...this.alwaysEmbeds(this.homeOf(actor)), ...query.embeds] });

  readonly get = async (actor: A, id: number, wanted: readonly Embed[] = []) => {
    const place = this.placeOf(actor, id);
    return this.requireReach(actor, await getRecord(place, [...this.alwaysEmbeds(place.tenant), ...wanted]));
  };

  /** Finds a record within reach, deleted or not. 404 otherwise. */
  readonly find = async (actor: A, id: number) =>
    this.requireReach(actor, await findRecord(this.placeOf(actor, id)));

  /** Requires the record that a body points at. 422 on the path if it is not there or out of reach. */
  readonly require = async (actor: A, id: number, path: string): Promise<Stored<S>> => {
    const record = this.ifVisible(actor, await findRecord(this.placeOf(actor, id)));
    if (record) return record;
    throw invalid({ [path]: 'validation.not_found' });
  };

  /** Gives the key of a record, to be read beside others. */
  readonly keyOf = (actor: A, id: number): Key => recordKey(this.type.type, this.homeOf(actor), id);

  /** Gives the record that was read at a key; undefined if it is not there, deleted or out of reach. */
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

  /** Requires a record to be there and within reach. 404 otherwise. */
  requireReach(actor: A, record: Stored<S> | undefined): Stored<S> {
    if (!record || !this.isInReach(actor, record)) throw notFound();
    return record;
  }
}
