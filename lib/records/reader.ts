import { all, type Expression } from '#lib/table/expression.ts';
import { type Home, type Key, recordKey } from '#lib/table/keys.ts';
import { invalid, missing } from '#lib/values/refusal.ts';
import type { Embed } from './query/embeds.ts';
import type { ListQuery } from './query/list-query.ts';
import { findRecord, getRecord, listRecords, type RecordType } from './record.ts';
import { type RecordSchema, type Stored, vouchRecord } from './stored.ts';

/** Which of a type's records callers read. */
export interface Readable<A> {
  readonly homeOf: (actor: A) => Home;
  /** Conditions on a record for a caller to reach it, beside being in their home. */
  readonly reach?: (actor: A) => readonly Expression[];
  /** Embeds in every answer, of fields that the record itself does not hold. */
  readonly alwaysEmbeds?: (home: Home) => readonly Embed[];
}

/** Reads records of a type for callers. Its operations may be taken out of it one by one. */
export class Reader<S extends RecordSchema, A> {
  readonly type: RecordType<S>;
  readonly homeOf: (actor: A) => Home;
  readonly #reach: NonNullable<Readable<A>['reach']>;
  readonly alwaysEmbeds: NonNullable<Readable<A>['alwaysEmbeds']>;

  constructor(type: RecordType<S>, { homeOf, reach = () => [], alwaysEmbeds = () => [] }: Readable<A>) {
    this.type = type;
    this.homeOf = homeOf;
    this.#reach = reach;
    this.alwaysEmbeds = alwaysEmbeds;
  }

  /** Lists records without the embeds of every answer. */
  readonly listBare = (actor: A, query: ListQuery) =>
    listRecords(this.type, this.homeOf(actor), { ...query, where: [...query.where, ...this.#reach(actor)] });

  readonly list = (actor: A, query: ListQuery) =>
    this.listBare(actor, { ...query, embeds: [...this.alwaysEmbeds(this.homeOf(actor)), ...query.embeds] });

  readonly get = async (actor: A, id: number, wanted: readonly Embed[] = []) => {
    const place = this.placeOf(actor, id);
    return this.requireReach(actor, await getRecord(place, [...this.alwaysEmbeds(place.home), ...wanted]));
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
    const record = item === undefined ? undefined : vouchRecord(this.type.schema, item);
    return record && !record.is_deleted && this.isInReach(actor, record) ? record : undefined;
  };

  placeOf(actor: A, id: number) {
    return { type: this.type, home: this.homeOf(actor), id };
  }

  isInReach(actor: A, record: Stored<S>): boolean {
    return all(this.#reach(actor)).matches(record);
  }

  /** Requires a record to be there and within reach. 404 otherwise. */
  requireReach(actor: A, record: Stored<S> | undefined): Stored<S> {
    if (!record || !this.isInReach(actor, record)) throw missing();
    return record;
  }
}
