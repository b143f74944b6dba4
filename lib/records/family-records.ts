import type * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { all, type Expression } from '#lib/table/expression.ts';
import { type Home, recordKey } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { invalid, missing } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { type Embed, embed } from './embeds.ts';
import type { ListQuery } from './list-query.ts';
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

interface Ways {
  /** What must hold of a record for a caller to reach it, beside being of their family. */
  readonly reach?: (actor: Staff) => readonly Expression[];
  /** What every answer shows and the record itself does not hold. */
  readonly alwaysEmbeds?: (home: Home) => readonly Embed[];
}

/** What a new record of a family has whatever its type. */
export type NewRecord = ReturnType<typeof newRecord>;

/**
 * The operations of company staff on their family's records of a type: list, get, remove and restore as they stand,
 * insert and change for a create and an edit to be made of. A record out of the caller's reach is 404.
 */
export function familyRecords<S extends RecordSchema>(
  type: RecordType<S>,
  { reach = () => [], alwaysEmbeds = () => [] }: Ways = {},
) {
  const isInReach = (actor: Staff, record: Stored<S>) => all(reach(actor)).holds(record);
  const requireReach = (actor: Staff, record: Stored<S>) => {
    if (!isInReach(actor, record)) throw missing();
    return record;
  };
  const shown = async (home: Home, record: z.input<S>) => {
    const [whole] = await embed([record], alwaysEmbeds(home));
    return vouched(type.schema, whole);
  };

  /** The record that was read at a key; undefined where there is none, or a deleted one, or one out of reach. */
  const ifVisible = (actor: Staff, item: unknown): Stored<S> | undefined => {
    const record = item === undefined ? undefined : stored(type.schema, item);
    return record && !record.is_deleted && isInReach(actor, record) ? record : undefined;
  };

  /** A list without what every answer shows beside what the records hold. */
  const listBare = (actor: Staff, query: ListQuery) =>
    listRecords(type, actor.home, { ...query, where: [...query.where, ...reach(actor)] });

  return {
    listBare,

    list(actor: Staff, query: ListQuery) {
      return listBare(actor, { ...query, embeds: [...alwaysEmbeds(actor.home), ...query.embeds] });
    },

    async get(actor: Staff, id: number, wanted: readonly Embed[]) {
      const embeds = [...alwaysEmbeds(actor.home), ...wanted];
      return requireReach(actor, await getRecord({ type, home: actor.home, id }, embeds));
    },

    /** Where a record of the caller's family is, to be read beside others. */
    keyOf: ({ home }: Staff, id: number) => recordKey(type.type, home, id),

    ifVisible,

    /** The record a body points at. 422 on the path where there is none or it is out of reach. */
    async open(actor: Staff, id: number, path: string): Promise<Stored<S>> {
      const record = ifVisible(actor, await findRecord({ type, home: actor.home, id }));
      if (record) return record;
      throw invalid({ [path]: 'validation.not_found' });
    },

    async insert(actor: Staff, at: Instant, made: (base: NewRecord) => z.input<S> | Promise<z.input<S>>) {
      const base = newRecord(actor, await nextId(type.type, actor.home), at);
      return shown(actor.home, await insertRecord(type, actor.home, await made(base)));
    },

    async change(
      actor: Staff,
      id: number,
      at: Instant,
      changed: (before: Stored<S>) => z.input<S> | Promise<z.input<S>>,
    ) {
      const change = (before: Stored<S>) => changed(requireReach(actor, before));
      return shown(actor.home, await editRecord({ type, home: actor.home, id }, at, change));
    },

    async remove(actor: Staff, id: number, at: Instant) {
      await editRecord({ type, home: actor.home, id }, at, (before) => ({
        ...requireReach(actor, before),
        is_deleted: true,
      }));
    },

    async restore(actor: Staff, id: number, at: Instant) {
      const record = await findRecord({ type, home: actor.home, id });
      if (!record || !isInReach(actor, record)) throw missing();
      await restoreRecord({ type, home: actor.home, id }, at);
    },
  };
}

/** A record of a family with nothing of its own yet. */
export function newRecord(
  { id: creator_id, companyId }: Pick<Staff, 'id' | 'companyId'>,
  id: number,
  at: Instant,
) {
  return { id, creator_id, company_id: companyId, created_at: at, updated_at: at, is_deleted: false };
}
