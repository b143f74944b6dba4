import * as z from 'zod';
import { SYNC_TYPES } from '#lib/table/feed/feed-types.ts';

/** Types of records that families sync. Part 4, 4.1. */
export const SyncType = z.enum(SYNC_TYPES);

export type SyncType = z.output<typeof SyncType>;
