import type * as z from 'zod';
import type { Maker } from '#lib/auth/actor.ts';
import { type DeskMoney, deskMoneyWrite, type MoneyDesk, moneyIn } from '#lib/cash/desk/money.ts';
import { areSumsBounded, changeOnHold, moveMoney, withoutOfDay } from '#lib/cash/desk/movement.ts';
import { atDesk, type DeskWithRecord } from '#lib/cash/desk/read.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { MessageDescriptor } from '#lib/values/message.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import { additionalOf } from './balances.ts';
import { deskPostings, isManual, type Posting, type StoredPosting } from './record.ts';

/** Money of a posting, with its own source data. */
export type PostedMoney = Pick<StoredPosting, 'type' | 'payment_type' | 'currency' | 'amount'> & {
  readonly source_data?: StoredPosting['source_data'];
};

/** Requested movement, with the path of its amount in the body. */
export interface RequestedMovement extends PostedMoney {
  readonly path: string;
}

/** Context of postings at a desk, apart from their money. */
export type PostingContext = Pick<StoredPosting, keyof Maker | 'source_type' | 'source_id' | 'comment'> & {
  readonly at: Instant;
  /** Id of the first posting; the others are consecutive. */
  readonly firstId: number;
  readonly source_data?: StoredPosting['source_data'];
  /** Initial status, if the other side has yet to confirm it. */
  readonly status?: 'on_hold';
  /** Posting of the same desk that this one reverses. */
  readonly reverses?: StoredPosting;
};

/** New postings of a desk, and its money after them. */
export interface PostingResult<D = MoneyDesk> {
  readonly desk: D;
  readonly money: DeskMoney;
  readonly postings: readonly StoredPosting[];
}

/**
 * Builds the postings of requested movements in order, each with the balances after it, and counts them in
 * the desk's day and open shift. One on hold does not count in the day yet; a reversal and its original never
 * do. A movement for which the desk has too little or too much is reported in `issues`, and skipped for the
 * rest. Contract 9.38.
 */
export function postAtDesk<D extends MoneyDesk>(
  desk: D,
  moves: readonly RequestedMovement[],
  occasion: PostingContext,
  issues: ValidationIssues,
): PostingResult<D> {
  return postInTurn(desk, moves, occasion, (money, { path, ...moved }) => {
    issues.add(path, rejectionReason(money, moved));
  });
}

/** Builds the postings of derived movements. 400 if the desk has too little or too much. */
export function postOrRefuse<D extends MoneyDesk>(
  desk: D,
  moves: readonly PostedMoney[],
  occasion: PostingContext,
): PostingResult<D> {
  return postInTurn(desk, moves, occasion, (money, moved) => {
    throw movementError(money, moved);
  });
}

function postInTurn<D extends MoneyDesk, M extends PostedMoney>(
  desk: D,
  moves: readonly M[],
  { firstId, ...occasion }: PostingContext,
  refuseMove: (money: DeskMoney, moved: M) => void,
): PostingResult<D> {
  let { money } = desk;
  const postings: StoredPosting[] = [];
  for (const [index, moved] of moves.entries()) {
    const cause = { ...occasion, ...atDesk(desk), id: firstId + index };
    const after = moneyAfter(money, moved, cause);
    if (after) postings.push(newPosting(after, moved, cause));
    else refuseMove(money, moved);
    money = after ?? money;
  }
  return { desk, money, postings };
}

/** Context of one posting. */
type Cause = Omit<PostingContext, 'firstId'> & Pick<StoredPosting, 'id' | 'company_id' | 'cashbox_id'>;

/** Computes the money after a posting; undefined if the desk has too little or too much. */
function moneyAfter(
  before: DeskMoney,
  moved: PostedMoney,
  { at, status, reverses, source_type }: Cause,
): DeskMoney | undefined {
  const isOfDay = status === undefined && reverses === undefined;
  const start = reverses ? withoutOfDay(before, reverses, at) : before;
  const after = moveMoney(start, { ...moved, source_type }, at, isOfDay);
  if (!after || status !== 'on_hold') return after;
  const afterHold = changeOnHold(after, moved, moved.amount);
  return areSumsBounded(afterHold) ? afterHold : undefined;
}

function newPosting(
  money: DeskMoney,
  { type, payment_type, currency, amount, source_data = [] }: PostedMoney,
  { at, status, reverses, ...occasion }: Cause,
): StoredPosting {
  return {
    source_data,
    ...occasion,
    ...{ type, payment_type, currency, amount, status: status ?? 'completed' },
    ...(money.shift && { shift_id: money.shift.id }),
    ...(reverses && { reversal_of_id: reverses.id }),
    additional: additionalOf(money, currency),
    ...(isManual(occasion) && { manual_source_id: occasion.source_id }),
    created_at: at,
    updated_at: at,
  };
}

/** Returns the reason why a desk cannot make a movement: insufficient money, or a sum over the limit. */
function rejectionReason(money: DeskMoney, moved: PostedMoney): MessageDescriptor {
  const available = moneyIn(money, moved);
  if (moved.type === 'income' || available >= moved.amount) return BALANCE_TOO_LARGE;
  return { key: 'cashbox.not_enough_money', with: { available: available / 100 } };
}

/** Builds the 400 of a movement without a field of its own. */
export function movementError(money: DeskMoney, moved: PostedMoney) {
  const { key, with: values } = rejectionReason(money, moved);
  return badRequest(key, values);
}

/** Posting with its desk. */
export type PostingWithDesk = z.input<typeof Posting>;

/** Returns postings with their desk, as in responses of operations. */
export function showPosted({ desk, postings }: PostingResult<DeskWithRecord>): PostingWithDesk[] {
  return postings.map((posting) => ({ ...posting, cashbox: desk.record }));
}

/** Builds the writes of postings and of their desk's money after them. */
export function writesAt(tenant: Tenant, { desk, money, postings }: PostingResult): Write[] {
  const made = postings.map((posting) => documentInsertion(deskPostings, tenant, posting));
  return [deskMoneyWrite(tenant, desk, money), ...made];
}
