import * as z from 'zod';
import { madeBy } from '#lib/access/impersonation.ts';
import { Cashbox } from '#lib/cash/desk/cashbox.ts';
import { changeHold, type DeskMoney, moneyIn, movedBy, withoutOfDay } from '#lib/cash/desk/money.ts';
import { type KindSums, MONEY_KINDS, nameOf } from '#lib/cash/money-kind.ts';
import { KnownCompany } from '#lib/people/company/company.ts';
import { familyIndexes } from '#lib/people/family-record.ts';
import { Colleague } from '#lib/people/user/user.ts';
import { openTo } from '#lib/people/workplace.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/counters.ts';
import { type DocumentType, documentInsertion } from '#lib/records/documents.ts';
import type { Home } from '#lib/table/keys.ts';
import type { Write } from '#lib/table/transaction/write.ts';
import { SourceData } from '#lib/values/fields.ts';
import type { Phrase } from '#lib/values/messages/say.ts';
import { type Cents, Currency, Money, PaymentType } from '#lib/values/money.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import { isManual, TransferSource, TransferSourceType } from './source.ts';

/** Money by its kind, as decimal strings: `cash: { uzs: '15000.00' }`. */
const DecimalSums = z.record(PaymentType, z.partialRecord(Currency, z.string()));

/** The money of a desk after a transfer. */
export const Additional = z.object({
  balances_after: DecimalSums,
  /** What is on its way from the desk to the main one. */
  on_hold_after: z
    .object({ outcome: z.partialRecord(PaymentType, z.partialRecord(Currency, z.string())) })
    .or(z.array(z.never()))
    .default([]),
});

/** One movement of money at a desk. Part 3, "Cash operation". */
export const Transfer = z.object({
  id: z.int(),
  company_id: z.int(),
  cashbox_id: z.int(),
  ...madeBy,
  /** The shift in which it counts; null outside shifts. */
  shift_id: z.int().nullable().default(null),
  type: z.enum(['income', 'outcome']),
  payment_type: PaymentType,
  currency: Currency,
  amount: Money,
  status: z.enum(['completed', 'on_hold', 'canceled']),
  source_type: TransferSourceType,
  source_id: z.int(),
  source_data: SourceData,
  additional: Additional,
  /** Of a reversal: the transfer that it takes back. */
  reversal_of_id: z.int().nullable().default(null),
  /** Of one that was taken back: its reversal. Decisions, 9 (37). */
  is_returned: z.boolean().default(false),
  reversal_id: z.int().nullable().default(null),
  cancel_comment: z.string().nullable().default(null),
  canceled_by_id: z.int().nullable().default(null),
  contract_number: z.null().default(null),
  comment: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  creator: Colleague.nullish(),
  company: KnownCompany.nullish(),
  cashbox: Cashbox.nullish(),
  source: TransferSource.nullable().default(null),
});

/** A transfer as the table holds it. What has a default is not written until it is something else. */
const StoredTransfer = Transfer.extend({
  /**
   * The source of a manual movement again. Lists look for it here, so that it has an index without one for
   * each cheque.
   */
  manual_source_id: z.int().optional(),
  /** The money of the desk after it was canceled: that is a movement too, without a transfer of its own. */
  balances_after_cancel: DecimalSums.optional(),
  /** Of a cancellation: the shift in which it counts. */
  canceled_shift_id: z.int().optional(),
});

export type StoredTransfer = z.input<typeof StoredTransfer>;

/** The type in transfers' keys, and the name of their counter. */
export const TRANSFER = 'transfer';

/** Document type of transfers. A caller reaches those of the desks open to them. */
export const deskTransfers: DocumentType<typeof StoredTransfer> = {
  type: TRANSFER,
  schema: StoredTransfer,
  indexes: [
    ...familyIndexes,
    ...['cashbox_id', 'type', 'payment_type', 'currency', 'status', 'source_type', 'manual_source_id'],
  ],
  reach: (actor) => openTo(actor, actor.cashDesks, 'cashbox_id'),
};

/** The money of a transfer. */
export type Moved = Pick<StoredTransfer, 'type' | 'payment_type' | 'currency' | 'amount'>;

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

/**
 * Makes transfers one after the other, each with the balances after it, and counts them in the desk's day and
 * in its open shift, to which they belong; undefined if the desk has too little or too much. On hold, one is
 * not of the day yet; a reversal never is, nor what it takes back. Decisions, 9 (38).
 */
export function transfersOf(
  before: DeskMoney,
  moves: readonly Moved[],
  { at, status, reverses, ...occasion }: Occasion,
  firstId: number,
): { readonly money: DeskMoney; readonly transfers: StoredTransfer[] } | undefined {
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

/** Says why a desk can't make a movement: it has too little, or would have too much. */
export function whyStuck(money: DeskMoney, moved: Pick<Moved, 'type' | 'payment_type' | 'currency'>): Phrase {
  if (moved.type === 'income') return BALANCE_TOO_LARGE;
  return { key: 'cashbox.not_enough_money', with: { available: moneyIn(money, moved) / 100 } };
}

/** Who cancels, when and why. */
export interface Cancellation {
  readonly by: number;
  readonly at: Instant;
  readonly comment: string;
}

/** A transfer that is canceled, after which the desk has this money. */
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
