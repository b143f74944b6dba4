import type * as z from 'zod';
import type { Maker } from '#lib/access/impersonation.ts';
import { type DeskMoney, moneyIn } from '#lib/cash/desk/money.ts';
import { changeOnHold, moveMoney, withoutOfDay } from '#lib/cash/desk/movement.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Home } from '#lib/table/keys.ts';
import {
  type Cents,
  type Currency,
  type KindSums,
  MONEY_KINDS,
  nameOf,
  type PaymentType,
} from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Phrase } from '#lib/values/say.ts';
import type { Instant } from '#lib/values/time.ts';
import { type Additional, type DecimalSums, deskPostings, type StoredPosting } from './record.ts';
import { isManual } from './source.ts';

/** The money of a posting. */
export type Moved = Pick<StoredPosting, 'type' | 'payment_type' | 'currency' | 'amount'>;

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
interface PostedMoves {
  readonly money: DeskMoney;
  readonly postings: readonly StoredPosting[];
}

/**
 * Makes postings one after the other, each with the balances after it, and counts them in the desk's day and
 * in its open shift, to which they belong; undefined if the desk has too little or too much. One on hold is
 * not of the day yet; a reversal and what it takes back never are. Decisions, 9 (38).
 */
export function postAll(
  before: DeskMoney,
  moves: readonly Moved[],
  { at, status, reverses, ...occasion }: Occasion,
  firstId: number,
): PostedMoves | undefined {
  const { source_type } = occasion;
  const isOfDay = status === undefined && reverses === undefined;
  let money = reverses ? withoutOfDay(before, reverses, at) : before;
  const postings: StoredPosting[] = [];
  for (const [index, moved] of moves.entries()) {
    const after = moveMoney(money, { ...moved, source_type }, at, isOfDay);
    if (!after) return undefined;
    money = status === 'on_hold' ? changeOnHold(after, moved, moved.amount) : after;
    postings.push({
      ...occasion,
      ...moved,
      id: firstId + index,
      ...(before.shift && { shift_id: before.shift.id }),
      ...(reverses && { reversal_of_id: reverses.id }),
      status: status ?? 'completed',
      source_data: occasion.source_data ?? [],
      additional: additionalOf(money, moved.currency),
      ...(isManual(occasion) && { manual_source_id: occasion.source_id }),
      created_at: at,
      updated_at: at,
    });
  }
  return { money, postings };
}

/**
 * Makes the posting of each movement, the first with the id `firstId`. What the desk has too little or too
 * much for goes to `problems`, and the others are judged without it.
 */
export function postEach(
  before: DeskMoney,
  moves: readonly Move[],
  { firstId, ...occasion }: Occasion & { readonly firstId: number },
  problems: Problems,
): PostedMoves {
  let money = before;
  const postings: StoredPosting[] = [];
  for (const [index, { path, ...moved }] of moves.entries()) {
    const made = postAll(money, [moved], occasion, firstId + index);
    if (!made) problems.add(path, whyStuck(money, moved));
    money = made?.money ?? money;
    postings.push(...(made?.postings ?? []));
  }
  return { money, postings };
}

/** Says why a desk can't make a movement: it has too little, or would have too much. */
function whyStuck(money: DeskMoney, moved: Pick<Moved, 'type' | 'payment_type' | 'currency'>): Phrase {
  if (moved.type === 'income') return BALANCE_TOO_LARGE;
  return { key: 'cashbox.not_enough_money', with: { available: moneyIn(money, moved) / 100 } };
}

/** Makes the 400 of a movement that no field asked for. */
export function stuck(money: DeskMoney, moved: Moved) {
  const { key, with: values } = whyStuck(money, moved);
  return refuse(key, values);
}

/** Who cancels, when and why. */
export interface Cancellation {
  readonly by: number;
  readonly at: Instant;
  readonly comment: string;
}

/** Cancels a posting, after which the desk has this money. */
export function cancelPosting<T extends StoredPosting>(
  posting: T,
  money: DeskMoney,
  { by, at, comment }: Cancellation,
) {
  const inShift = money.shift && { canceled_shift_id: money.shift.id };
  const why = { cancel_comment: comment, canceled_by_id: by, updated_at: at, ...inShift };
  const balances_after_cancel = balancesAfter(money, posting.currency);
  return { ...posting, ...why, status: 'canceled', balances_after_cancel } as const;
}

/** Builds the writes of postings. They belong in one transaction with the desk's money. */
export function postingWrites(home: Home, postings: readonly StoredPosting[]): Write[] {
  return postings.map((posting) => documentInsertion(deskPostings, home, posting));
}

function additionalOf(money: DeskMoney, moved: Currency): z.input<typeof Additional> {
  const balances_after = balancesAfter(money, moved);
  return money.on_hold
    ? { balances_after, on_hold_after: { outcome: decimalsOf(money.on_hold) } }
    : { balances_after };
}

/** Lists a desk's money in the currencies that it has some of, and in that of the posting. */
function balancesAfter(money: DeskMoney, moved: Currency): z.input<typeof DecimalSums> {
  const after: z.input<typeof DecimalSums> = { cash: {}, card: {}, bank: {} };
  for (const kind of MONEY_KINDS) {
    const sum = moneyIn(money, kind);
    if (sum !== 0 || kind.currency === moved) after[kind.payment_type][kind.currency] = decimal(sum);
  }
  return after;
}

function decimalsOf(sums: KindSums) {
  const shown: Partial<Record<PaymentType, Partial<Record<Currency, string>>>> = {};
  for (const kind of MONEY_KINDS) {
    const sum = sums[nameOf(kind)];
    if (sum === undefined) continue;
    shown[kind.payment_type] = { ...shown[kind.payment_type], [kind.currency]: decimal(sum) };
  }
  return shown;
}

function decimal(cents: Cents): string {
  return (cents / 100).toFixed(2);
}
