import type * as z from 'zod';
import { SYNC_TYPES } from '#lib/table/feed/feed-types.ts';
import { enumeration, NOUNS } from '#lib/values/enumeration.ts';

/** Types of records that families sync. Part 4, 4.1. */
export const SyncType = enumeration(
  NOUNS,
  SYNC_TYPES.map(({ type }) => type),
);

export type SyncType = z.output<typeof SyncType>;
