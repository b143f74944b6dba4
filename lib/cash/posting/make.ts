import type { Maker } from '#lib/access/actor.ts';
import { type DeskMoney, moneyIn } from '#lib/cash/desk/money.ts';
import { changeOnHold, moveMoney, withoutOfDay } from '#lib/cash/desk/movement.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Home } from '#lib/table/keys.ts';
import type { Problems } from '#lib/values/problems.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Phrase } from '#lib/values/say.ts';
import type { Instant } from '#lib/values/time.ts';
import { additionalOf } from './balances.ts';
import { deskPostings, type StoredPosting } from './record.ts';
import { isManual } from './source.ts';

/** The money of a posting, and what it alone tells of its source. */
export type Moved = Pick<StoredPosting, 'type' | 'payment_type' | 'currency' | 'amount'> & {
  readonly source_data?: StoredPosting['source_data'];
};

/** A movement that was asked for, with where in the body its amount is. */
export interface Move extends Moved {
  readonly path: string;
}

/** The circumstances of a posting, beside its money. */
export type Occasion = Pick<
  StoredPosting,
  'company_id' | 'cashbox_id' | keyof Maker | 'source_type' | 'source_id' | 'comment'
> & {
  readonly at: Instant;
  readonly source_data?: StoredPosting['source_data'];
  /** What it is from the start, if the other side has not confirmed it yet. */
  readonly status?: 'on_hold';
  /** A posting of the same desk, which this one takes back. */
  readonly reverses?: StoredPosting;
};

/** Postings that were made, and the money that the desk has after them. */
export interface PostedMoves {
  readonly money: DeskMoney;
  readonly postings: readonly StoredPosting[];
}

/**
 * Makes postings one after the other, each with the balances after it, and counts them in the desk's day and
 * in its open shift, to which they belong. One on hold is not of the day yet; a reversal and what it takes
 * back never are. 400 if the desk has too little or too much. Decisions, 9 (38).
 */
export function postAll(
  before: DeskMoney,
  moves: readonly Moved[],
  occasion: Occasion,
  firstId: number,
): PostedMoves {
  return postInTurn(before, moves, { ...occasion, firstId }, (money, moved) => {
    throw stuck(money, moved);
  });
}

/**
 * Makes the posting of each movement, the first with the id `firstId`. What the desk has too little or too
 * much for goes to `problems`, and the others are judged without it.
 */
export function postEach(
  before: DeskMoney,
  moves: readonly Move[],
  occasion: Occasion & { readonly firstId: number },
  problems: Problems,
): PostedMoves {
  return postInTurn(before, moves, occasion, (money, { path, ...moved }) => {
    problems.add(path, whyStuck(money, moved));
  });
}

function postInTurn<M extends Moved>(
  before: DeskMoney,
  moves: readonly M[],
  { firstId, ...occasion }: Occasion & { readonly firstId: number },
  refuseMove: (money: DeskMoney, moved: M) => void,
): PostedMoves {
  let money = before;
  const postings: StoredPosting[] = [];
  for (const [index, moved] of moves.entries()) {
    const after = moneyAfter(money, moved, occasion);
    if (after) postings.push(newPosting(after, moved, occasion, firstId + index));
    else refuseMove(money, moved);
    money = after ?? money;
  }
  return { money, postings };
}

/** Computes the money after a posting; undefined if the desk has too little or too much. */
function moneyAfter(
  before: DeskMoney,
  moved: Moved,
  { at, status, reverses, source_type }: Occasion,
): DeskMoney | undefined {
  const isOfDay = status === undefined && reverses === undefined;
  const start = reverses ? withoutOfDay(before, reverses, at) : before;
  const after = moveMoney(start, { ...moved, source_type }, at, isOfDay);
  return after && status === 'on_hold' ? changeOnHold(after, moved, moved.amount) : after;
}

function newPosting(
  money: DeskMoney,
  { type, payment_type, currency, amount, source_data = [] }: Moved,
  { at, status, reverses, ...occasion }: Occasion,
  id: number,
): StoredPosting {
  return {
    source_data,
    ...occasion,
    ...{ id, type, payment_type, currency, amount, status: status ?? 'completed' },
    ...(money.shift && { shift_id: money.shift.id }),
    ...(reverses && { reversal_of_id: reverses.id }),
    additional: additionalOf(money, currency),
    ...(isManual(occasion) && { manual_source_id: occasion.source_id }),
    created_at: at,
    updated_at: at,
  };
}

/** Says why a desk can't make a movement: it has too little, or would have too much. */
function whyStuck(money: DeskMoney, moved: Pick<Moved, 'type' | 'payment_type' | 'currency'>): Phrase {
  if (moved.type === 'income') return BALANCE_TOO_LARGE;
  return { key: 'cashbox.not_enough_money', with: { available: moneyIn(money, moved) / 100 } };
}

/** Builds the 400 of a movement that no field asked for. */
export function stuck(money: DeskMoney, moved: Moved) {
  const { key, with: values } = whyStuck(money, moved);
  return refuse(key, values);
}

/** Builds the writes of postings. They belong in one transaction with the desk's money. */
export function postingWrites(home: Home, postings: readonly StoredPosting[]): Write[] {
  return postings.map((posting) => documentInsertion(deskPostings, home, posting));
}
