import * as z from 'zod';
import { COPIED } from '#lib/table/feed/followed.ts';

/** Types of records in a family's copies. Part 4, 4.1. */
export const CopiedType = z.enum(COPIED);

export type CopiedType = z.output<typeof CopiedType>;
