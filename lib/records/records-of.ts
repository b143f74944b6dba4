import type * as z from 'zod';
import type { Administrator, PartnerUser, Staff } from '#lib/auth/actor.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import type { Instant } from '#lib/values/time.ts';
import { withNameOwners } from './name-owners.ts';
import { requireVersion } from './precondition.ts';
import { embed } from './query/embeds.ts';
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from './query/filters.ts';
import { embedQuery, listQuery, workbookQuery } from './query/list-query.ts';
import { type Readable, Reader, type RecordType } from './record.ts';
import { editRecord, insertRecord, restoreRecord } from './record-writes.ts';
import { parseStored, type RecordSchema, type Stored } from './stored.ts';

/** A kind of callers, and their records. */
interface Owner<A, M> extends Readable<A> {
  /** Returns the fields of a new record that depend on its creator. */
  readonly stampOf: (actor: A) => M;
  /** Maximum page size. */
  readonly pageSize?: number;
}

/** The records of a company family, for its staff. */
export const ofFamily = {
  homeOf: ({ tenant }: Staff) => tenant,
  stampOf: ({ id, companyId }: Pick<Staff, 'id' | 'companyId'>) => ({
    creator_id: id,
    company_id: companyId,
  }),
  pageSize: MAX_PAGE_SIZE,
};

/** The records of the platform, for administrators. */
export const ofPlatform = { homeOf: (_: Administrator) => PLATFORM, stampOf: (_: Administrator) => ({}) };

/** Copies of records for a partner, for the partner's users. */
export const ofPartner = { homeOf: ({ tenant }: PartnerUser) => tenant, stampOf: (_: PartnerUser) => ({}) };

/** The fields of every new record of a family. */
export type NewRecord = ReturnType<typeof newRecord>;

/**
 * Returns the operations on an owner's records of a type. `insert` and `change` are building blocks for a
 * create and an edit with their own rules; the others are complete. 404 for a record out of the caller's
 * reach.
 */
export function recordsOf<S extends RecordSchema, A, M>(type: RecordType<S>, owner: Owner<A, M>) {
  return new Records(type, owner);
}

/** Reads and writes records of a type for callers. */
class Records<S extends RecordSchema, A, M> extends Reader<S, A> {
  readonly #stampOf: Owner<A, M>['stampOf'];
  readonly #pageSize: number;

  constructor(type: RecordType<S>, owner: Owner<A, M>) {
    super(type, owner);
    this.#stampOf = owner.stampOf;
    this.#pageSize = owner.pageSize ?? DEFAULT_PAGE_SIZE;
  }

  /** Schema of the query string of a list. */
  get List() {
    return listQuery(this.type.filters, this.#offer);
  }

  /** Schema of the query string of a list that is also available as a workbook. */
  get WorkbookList() {
    return workbookQuery(this.type.filters, this.#offer);
  }

  /** Schema of the query string of a single record. */
  get Embeds() {
    return embedQuery(this.type);
  }

  /**
   * Inserts a record. If reads are needed first, `made` is a promise that runs in parallel with the
   * allocation of the id.
   */
  async insert(actor: A, at: Instant, made: Make<S, M> | Promise<Make<S, M>>): Promise<z.input<S>> {
    const [id, make] = await Promise.all([nextId(this.type.type, this.homeOf(actor)), made]);
    const record = make({ ...newBase(id, at), ...this.#stampOf(actor) });
    return this.#withEmbeds(actor, await this.insertDrawn(actor, record));
  }

  /** Inserts a record with an allocated id. */
  insertDrawn(actor: A, record: z.input<S>): Promise<z.input<S>> {
    return insertRecord(this.type, this.homeOf(actor), record).catch((error: unknown) =>
      this.refuse(actor, record, error),
    );
  }

  /** Creates a record from its input alone. */
  readonly create = (actor: A, input: Input<S, M>, at: Instant): Promise<z.input<S>> =>
    this.insert(actor, at, (base) => parseStored(this.type.schema, { ...base, ...input }));

  /** Edits a record by its input; fields without an input stay. */
  readonly edit = (actor: A, id: number, input: Partial<Input<S, M>>, at: Instant): Promise<z.input<S>> =>
    this.change(actor, id, at, (before) => ({ ...before, ...input }));

  async change(actor: A, id: number, at: Instant, change: Change<S>): Promise<z.input<S>> {
    return this.#withEmbeds(actor, await this.#edit(actor, id, at, change));
  }

  /** Edits the fields of a record that a body has; nothing is written if that changes nothing. */
  patch(
    actor: A,
    id: number,
    complete: (before: Stored<S>) => Partial<Input<S, M>> | undefined,
    at: Instant,
  ): Promise<z.input<S>> {
    return this.change(actor, id, at, (before) => {
      const input = complete(before);
      return input ? { ...before, ...input } : before;
    });
  }

  readonly remove = async (actor: A, id: number, at: Instant): Promise<void> => {
    await this.#edit(actor, id, at, (before) => ({ ...before, is_deleted: true }));
  };

  readonly restore = async (actor: A, id: number, at: Instant): Promise<void> => {
    await this.find(actor, id);
    await restoreRecord(this.placeOf(actor, id), at);
  };

  /** Rethrows an error; a taken name gets its owner, if that is within reach. */
  async refuse(actor: A, record: z.input<S>, error: unknown): Promise<never> {
    const mayKnow = (owner: Stored<S>) => this.isInReach(actor, owner);
    throw await withNameOwners(error, { type: this.type, tenant: this.homeOf(actor), record, mayKnow });
  }

  get #offer() {
    return { sorts: ['id'], pageSize: this.#pageSize, ...this.type };
  }

  async #edit(actor: A, id: number, at: Instant, change: Change<S>): Promise<z.input<S>> {
    let edited: z.input<S> | undefined;
    try {
      return await editRecord(this.placeOf(actor, id), at, async (before) => {
        this.requireReach(actor, before);
        requireVersion(before);
        edited = await change(before);
        return edited;
      });
    } catch (error) {
      if (edited === undefined) throw error;
      return this.refuse(actor, edited, error);
    }
  }

  async #withEmbeds(actor: A, record: z.input<S>): Promise<z.input<S>> {
    const [whole] = await embed([record], this.alwaysEmbeds(this.homeOf(actor)));
    return parseStored(this.type.schema, whole);
  }
}

/** The fields of a record, except those of every new one. */
type Input<S extends RecordSchema, M> = Omit<z.input<S>, keyof NewBase | keyof M>;
type Make<S extends RecordSchema, M> = (base: NewBase & M) => z.input<S>;
type Change<S extends RecordSchema> = (before: Stored<S>) => z.input<S> | Promise<z.input<S>>;

/** Returns the base fields of a new record of a family. */
export function newRecord(actor: Pick<Staff, 'id' | 'companyId'>, id: number, at: Instant) {
  return { ...newBase(id, at), ...ofFamily.stampOf(actor) };
}

export type NewBase = ReturnType<typeof newBase>;

/** Returns the fields of every new record. */
export function newBase(id: number, at: Instant) {
  return { id, created_at: at, updated_at: at, is_deleted: false };
}
