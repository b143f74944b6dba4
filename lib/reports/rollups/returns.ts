import * as z from 'zod';
import { DEFAULT_UPDATE_SIZE, type RollupKind } from '#lib/table/rollups/kind.ts';
import { SALE_RETURN } from '#lib/trade/sale/returns-of.ts';
import { ReturnedHeader } from './headers.ts';
import { cellOf } from './sales.ts';

/** Sums of returns: their count, and two amounts. */
export const RETURN_SUMS = ['count', 'returned', 'cost'] as const;

const ReturnHeader = ReturnedHeader.extend({
  creator_id: z.int(),
  amount: z.int(),
  cost: z.int(),
});

/**
 * Returns by desk and month: for each day, currency, user and company. An exchange counts at the desk of its
 * new sale. Part 4, 4.5, 3.
 */
export const returnsRollups: RollupKind = {
  name: 'returned',
  edition: 1,
  source: SALE_RETURN,
  only: Object.keys(ReturnHeader.shape),
  numbers: 4,
  sums: RETURN_SUMS.length,
  ...DEFAULT_UPDATE_SIZE,
  factsOf: (_, headers) =>
    Promise.resolve(
      headers.map((header) => {
        const made = ReturnHeader.parse(header);
        return { id: made.id, ...cellOf(made, made.created_at), sums: [1, made.amount, made.cost] };
      }),
    ),
};
