import type * as z from 'zod';
import type { Administrator, PartnerUser, Staff } from '#lib/access/actor.ts';
import { all, type Expression } from '#lib/table/expression.ts';
import { type Home, PLATFORM, recordKey } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { invalid, missing } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { type Embed, embed } from './embeds.ts';
import { tellHolders } from './holders.ts';
import type { ListQuery } from './list-query.ts';
import { requireVersion } from './precondition.ts';
import {
  editRecord,
  findRecord,
  getRecord,
  insertRecord,
  listRecords,
  type RecordType,
  restoreRecord,
} from './record.ts';
import { type RecordSchema, type Stored, stored, vouched } from './stored.ts';

/** A kind of callers, and the home of the records that they work on. */
interface Owner<A, M> {
  readonly homeOf: (actor: A) => Home;
  /** Makes the fields of a new record that its maker decides. */
  readonly stampOf: (actor: A) => M;
}

interface Ways<A> {
  /** Conditions on a record for a caller to reach it, beside being in their home. */
  readonly reach?: (actor: A) => readonly Expression[];
  /** Embeds in every answer, of fields that the record itself does not hold. */
  readonly alwaysEmbeds?: (home: Home) => readonly Embed[];
}

/** The records of a company family, for its staff. */
export const ofFamily = {
  homeOf: ({ home }: Staff) => home,
  stampOf: ({ id, companyId }: Pick<Staff, 'id' | 'companyId'>) => ({
    creator_id: id,
    company_id: companyId,
  }),
};

/** The records of the platform, for administrators. */
export const ofPlatform = { homeOf: (_: Administrator) => PLATFORM, stampOf: (_: Administrator) => ({}) };

/** Records as a partner sees them, for the partner's users. */
export const ofPartner = { homeOf: ({ home }: PartnerUser) => home, stampOf: (_: PartnerUser) => ({}) };

/** The fields of every new record of a family. */
export type NewRecord = ReturnType<typeof newRecord>;

/**
 * Makes the operations on an owner's records of a type: list, get, remove and restore are complete; insert
 * and change are for a create and an edit to build on. 404 for a record out of the caller's reach.
 */
export function recordsOf<S extends RecordSchema, A, M>(
  type: RecordType<S>,
  { homeOf, stampOf, reach = () => [], alwaysEmbeds = () => [] }: Owner<A, M> & Ways<A>,
) {
  type Make = (base: NewBase & M) => z.input<S>;
  type Change = (before: Stored<S>) => z.input<S> | Promise<z.input<S>>;

  const placeOf = (actor: A, id: number) => ({ type, home: homeOf(actor), id });
  const isInReach = (actor: A, record: Stored<S>) => all(reach(actor)).holds(record);
  const requireReach = (actor: A, record: Stored<S>) => {
    if (!isInReach(actor, record)) throw missing();
    return record;
  };
  const shown = async (home: Home, record: z.input<S>) => {
    const [whole] = await embed([record], alwaysEmbeds(home));
    return vouched(type.schema, whole);
  };

  /**
   * Gives the record that was read at a key; undefined if there is none, or if it is deleted or out of reach.
   */
  const ifVisible = (actor: A, item: unknown): Stored<S> | undefined => {
    const record = item === undefined ? undefined : stored(type.schema, item);
    return record && !record.is_deleted && isInReach(actor, record) ? record : undefined;
  };

  /** Lists records without the embeds of every answer. */
  const listBare = (actor: A, query: ListQuery) =>
    listRecords(type, homeOf(actor), { ...query, where: [...query.where, ...reach(actor)] });

  /** Finds a record within reach, deleted or not. 404 otherwise. */
  const find = async (actor: A, id: number) => {
    const record = await findRecord(placeOf(actor, id));
    if (!record) throw missing();
    return requireReach(actor, record);
  };

  const edit = async (actor: A, id: number, at: Instant, changed: Change) => {
    let wanted: z.input<S> | undefined;
    try {
      return await editRecord(placeOf(actor, id), at, async (before) => {
        requireReach(actor, before);
        requireVersion(before);
        wanted = await changed(before);
        return wanted;
      });
    } catch (error) {
      throw await told(actor, wanted, error);
    }
  };

  /** Tells of a name that is taken which record has it, if the caller reaches that one. */
  const told = async (actor: A, record: z.input<S> | undefined, error: unknown) => {
    if (record === undefined) return error;
    const isTold = (holder: Stored<S>) => isInReach(actor, holder);
    return tellHolders(error, { type, home: homeOf(actor), record, isInReach: isTold });
  };

  /** Makes a record whose id was drawn before. */
  const insertMade = async (actor: A, record: z.input<S>) => {
    try {
      return await insertRecord(type, homeOf(actor), record);
    } catch (error) {
      throw await told(actor, record, error);
    }
  };

  return {
    listBare,

    told,

    insertMade,

    list(actor: A, query: ListQuery) {
      return listBare(actor, { ...query, embeds: [...alwaysEmbeds(homeOf(actor)), ...query.embeds] });
    },

    async get(actor: A, id: number, wanted: readonly Embed[] = []) {
      const place = placeOf(actor, id);
      return requireReach(actor, await getRecord(place, [...alwaysEmbeds(place.home), ...wanted]));
    },

    find,

    /** Gives the key of a record, to be read beside others. */
    keyOf: (actor: A, id: number) => recordKey(type.type, homeOf(actor), id),

    ifVisible,

    /** Finds the record that a body points at. 422 on the path if there is none or it is out of reach. */
    async open(actor: A, id: number, path: string): Promise<Stored<S>> {
      const record = ifVisible(actor, await findRecord(placeOf(actor, id)));
      if (record) return record;
      throw invalid({ [path]: 'validation.not_found' });
    },

    /**
     * Makes a record. If something must be looked up first, `made` is a promise: it goes on while the id is
     * drawn.
     */
    async insert(actor: A, at: Instant, made: Make | Promise<Make>) {
      const home = homeOf(actor);
      const [id, make] = await Promise.all([nextId(type.type, home), made]);
      const record = make({ ...newBase(id, at), ...stampOf(actor) });
      return shown(home, await insertMade(actor, record));
    },

    async change(actor: A, id: number, at: Instant, changed: Change) {
      return shown(homeOf(actor), await edit(actor, id, at, changed));
    },

    async remove(actor: A, id: number, at: Instant) {
      await edit(actor, id, at, (before) => ({ ...before, is_deleted: true }));
    },

    async restore(actor: A, id: number, at: Instant) {
      await find(actor, id);
      await restoreRecord(placeOf(actor, id), at);
    },
  };
}

/** Makes a record of a family with nothing of its own yet. */
export function newRecord(actor: Pick<Staff, 'id' | 'companyId'>, id: number, at: Instant) {
  return { ...newBase(id, at), ...ofFamily.stampOf(actor) };
}

export type NewBase = ReturnType<typeof newBase>;

/** Makes the fields of every new record. */
export function newBase(id: number, at: Instant) {
  return { id, created_at: at, updated_at: at, is_deleted: false };
}
