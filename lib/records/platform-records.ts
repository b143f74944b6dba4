import type * as z from 'zod';
import { PLATFORM } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { Id } from '#lib/values/fields.ts';
import type { Instant } from '#lib/values/time.ts';
import type { Embed } from './embeds.ts';
import { exactOrList, period } from './filters.ts';
import type { ListQuery } from './list-query.ts';
import {
  editRecord,
  getRecord,
  insertRecord,
  listRecords,
  type RecordType,
  removeRecord,
  restoreRecord,
} from './record.ts';
import type { RecordSchema, Stored } from './stored.ts';

/** What every list of platform records may be filtered by. */
export const platformFilters = { id: exactOrList('id', Id), created_at: period('created_at') };

/**
 * The operations on the platform's records of a type, which are open to any administrator with the right: list, get,
 * remove and restore as they stand, insert and change for a create and an edit to be made of.
 */
export function platformRecords<S extends RecordSchema>(type: RecordType<S>) {
  return {
    list: (query: ListQuery) => listRecords(type, PLATFORM, query),

    get: (id: number, embeds: readonly Embed[]) => getRecord({ type, home: PLATFORM, id }, embeds),

    async insert(at: Instant, made: (base: ReturnType<typeof newRecord>) => z.input<S>) {
      const id = await nextId(type.type, PLATFORM);
      return insertRecord(type, PLATFORM, made(newRecord(id, at)));
    },

    change: (id: number, at: Instant, changed: (before: Stored<S>) => z.input<S>) =>
      editRecord({ type, home: PLATFORM, id }, at, changed),

    remove: (id: number, at: Instant) => removeRecord({ type, home: PLATFORM, id }, at),

    restore: (id: number, at: Instant) => restoreRecord({ type, home: PLATFORM, id }, at),
  };
}

/** A record of the platform with nothing of its own yet. */
function newRecord(id: number, at: Instant) {
  return { id, created_at: at, updated_at: at, is_deleted: false };
}
