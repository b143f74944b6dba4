import type * as z from 'zod';
import { type DeskMoney, moneyIn } from '#lib/cash/desk/money.ts';
import { changeHold, movedBy, withoutOfDay } from '#lib/cash/desk/movement.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/counters.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Home } from '#lib/table/keys.ts';
import type { Phrase } from '#lib/values/messages/say.ts';
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
import type { Instant } from '#lib/values/time.ts';
import { type Additional, type DecimalSums, deskTransfers, type StoredTransfer } from './record.ts';
import { isManual } from './source.ts';

/** The money of a transfer. */
export type Moved = Pick<StoredTransfer, 'type' | 'payment_type' | 'currency' | 'amount'>;

/** A movement that was asked for, with where in the body its amount is. */
export interface Move extends Moved {
  readonly path: string;
}

/** The circumstances of a transfer, beside its money. */
export type Occasion = Pick<
  StoredTransfer,
  'company_id' | 'cashbox_id' | 'creator_id' | 'source_type' | 'source_id' | 'comment'
> & {
  readonly at: Instant;
  readonly source_data?: StoredTransfer['source_data'];
  /** What it is from the start, if the other side has not confirmed it yet. */
  readonly status?: 'on_hold';
  /** A transfer of the same desk, which this one takes back. */
  readonly reverses?: StoredTransfer;
};

/** Transfers that were made, and the money that the desk has after them. */
interface PostedMoves {
  readonly money: DeskMoney;
  readonly transfers: readonly StoredTransfer[];
}

/**
 * Makes transfers one after the other, each with the balances after it, and counts them in the desk's day and
 * in its open shift, to which they belong; undefined if the desk has too little or too much. One on hold is
 * not of the day yet; a reversal and what it takes back never are. Decisions, 9 (38).
 */
export function transfersOf(
  before: DeskMoney,
  moves: readonly Moved[],
  { at, status, reverses, ...occasion }: Occasion,
  firstId: number,
): PostedMoves | undefined {
  const { source_type } = occasion;
  const isOfDay = status === undefined && reverses === undefined;
  let money = reverses ? withoutOfDay(before, reverses, at) : before;
  const transfers: StoredTransfer[] = [];
  for (const [index, moved] of moves.entries()) {
    const after = movedBy(money, { ...moved, source_type }, at, isOfDay);
    if (!after) return undefined;
    money = status === 'on_hold' ? changeHold(after, moved, moved.amount) : after;
    transfers.push({
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
  return { money, transfers };
}

/**
 * Makes the transfer of each movement, the first with the id `firstId`. What the desk has too little or too
 * much for goes to `problems`, and the others are judged without it.
 */
export function postEach(
  before: DeskMoney,
  moves: readonly Move[],
  { firstId, ...occasion }: Occasion & { readonly firstId: number },
  problems: Problems,
): PostedMoves {
  let money = before;
  const transfers: StoredTransfer[] = [];
  for (const [index, { path, ...moved }] of moves.entries()) {
    const made = transfersOf(money, [moved], occasion, firstId + index);
    if (!made) problems.add(path, whyStuck(money, moved));
    money = made?.money ?? money;
    transfers.push(...(made?.transfers ?? []));
  }
  return { money, transfers };
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

/** Cancels a transfer, after which the desk has this money. */
export function canceledTransfer<T extends StoredTransfer>(
  transfer: T,
  money: DeskMoney,
  { by, at, comment }: Cancellation,
) {
  const inShift = money.shift && { canceled_shift_id: money.shift.id };
  const why = { cancel_comment: comment, canceled_by_id: by, updated_at: at, ...inShift };
  const balances_after_cancel = balancesAfter(money, transfer.currency);
  return { ...transfer, ...why, status: 'canceled', balances_after_cancel } as const;
}

/** Builds the writes of transfers. They belong in one transaction with the desk's money. */
export function transferWrites(home: Home, transfers: readonly StoredTransfer[]): Write[] {
  return transfers.map((transfer) => documentInsertion(deskTransfers, home, transfer));
}

function additionalOf(money: DeskMoney, moved: Currency): z.input<typeof Additional> {
  const balances_after = balancesAfter(money, moved);
  return money.on_hold
    ? { balances_after, on_hold_after: { outcome: decimalsOf(money.on_hold) } }
    : { balances_after };
}

/** Lists a desk's money in the currencies that it has some of, and in that of the transfer. */
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
