import * as z from 'zod';
import { Posting } from '#lib/cash/posting/record.ts';

/** The two sides of a movement: the outcome, then the income. Decisions, 9 (63). */
export const BothSides = z.object({ data: z.array(Posting) });

export type BothSides = z.input<typeof BothSides>;
