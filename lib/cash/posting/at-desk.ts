import type * as z from 'zod';
import { deskMoneyWrite } from '#lib/cash/desk/money.ts';
import { atDesk, type DeskState, type DeskWithRecord } from '#lib/cash/desk/read.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Home } from '#lib/table/keys.ts';
import type { Problems } from '#lib/values/problems.ts';
import {
  type Move,
  type Moved,
  type Occasion,
  type PostedMoves,
  postAll,
  postEach,
  postingWrites,
} from './make.ts';
import type { Posting } from './record.ts';

/** A posting with its desk. */
export type Answered = z.input<typeof Posting>;

/** Postings that were made at a desk, and the money that it has after them. */
export interface Posted<D> extends PostedMoves {
  readonly desk: D;
}

type MoneyDesk = Pick<DeskState, 'id' | 'company_id' | 'money'>;

/** The circumstances of postings, beside their desk. */
type Cause = Omit<Occasion, 'company_id' | 'cashbox_id'> & { readonly firstId: number };

/** Makes the postings of movements that fields asked for. What the desk can't do goes to `problems`. */
export function postAt<D extends MoneyDesk>(
  desk: D,
  moves: readonly Move[],
  cause: Cause,
  problems: Problems,
): Posted<D> {
  return { desk, ...postEach(desk.money, moves, { ...atDesk(desk), ...cause }, problems) };
}

/** Makes the postings of movements that follow from others: 400 if the desk has too little or too much. */
export function requireAt<D extends MoneyDesk>(
  desk: D,
  moves: readonly Moved[],
  { firstId, ...cause }: Cause,
): Posted<D> {
  return { desk, ...postAll(desk.money, moves, { ...atDesk(desk), ...cause }, firstId) };
}

/** Shows postings with their desk, as operations answer. */
export function showPosted({ desk, postings }: Posted<DeskWithRecord>): Answered[] {
  return postings.map((posting) => ({ ...posting, cashbox: desk.record }));
}

/** Builds the writes of postings and of the money that their desk has after them. */
export function writesAt(home: Home, { desk, money, postings }: Posted<MoneyDesk>): Write[] {
  return [deskMoneyWrite(home, desk, desk.money, money), ...postingWrites(home, postings)];
}
