import type { Maker } from '#lib/access/actor.ts';
import type { Instant } from '#lib/values/time.ts';
import type { Sale } from './record.ts';

/** The ids of a cheque and of what its payments become; those of its lines are drawn with its cart. */
export interface SaleIds {
  readonly sale: number;
  readonly posting: number;
  readonly debt: number;
}

/** What a cheque is made with, besides what it rests on, its goods and its payments. */
export type ChequeHead = Pick<Sale, 'client_id' | 'hold_id' | 'comment' | 'source_type' | 'source_data'> & {
  readonly ids: SaleIds;
  readonly maker: Maker;
  readonly at: Instant;
};
