import * as z from 'zod';
import { type Home, recordKey } from '#lib/table/keys.ts';
import { putNew, type Write } from '#lib/table/transaction/write.ts';
import { SourceData } from '#lib/values/fields.ts';
import { type Cents, Currency, Money, PaymentType } from '#lib/values/money.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import { changedBy, type DeskMoney, MONEY_KINDS, moneyIn } from './desk-money.ts';

/** The money of a desk after a transfer, as decimal strings: `cash: { uzs: '15000.00' }`. */
const BalancesAfter = z.record(PaymentType, z.partialRecord(Currency, z.string()));

/** One movement of money at a desk. Part 3, "Cash operation". */
export const Transfer = z.object({
  id: z.int(),
  company_id: z.int(),
  cashbox_id: z.int(),
  creator_id: z.int(),
  type: z.enum(['income', 'outcome']),
  payment_type: PaymentType,
  currency: Currency,
  amount: Money,
  status: z.enum(['completed', 'on_hold', 'canceled']),
  source_type: z.enum(['reason', 'collection', 'sale', 'sale_return', 'debt_payment', 'shift', 'supplier']),
  source_id: z.int(),
  source_data: SourceData,
  additional: z.object({ balances_after: BalancesAfter }),
  comment: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

type StoredTransfer = z.input<typeof Transfer>;

/** The type in transfers' keys, and the name of their counter. */
export const TRANSFER = 'transfer';

/** The money of a transfer. */
export type Moved = Pick<StoredTransfer, 'type' | 'payment_type' | 'currency' | 'amount'>;

/** The circumstances of a transfer, beside its money. */
export type Occasion = Pick<
  StoredTransfer,
  'company_id' | 'cashbox_id' | 'creator_id' | 'source_type' | 'source_id' | 'comment'
> & { readonly at: Instant };

/**
 * Makes transfers one after the other, each with the balances after it; undefined if the desk has too little
 * or too much.
 */
export function transfersOf(
  before: DeskMoney,
  moves: readonly Moved[],
  { at, ...occasion }: Occasion,
  firstId: number,
): { readonly money: DeskMoney; readonly transfers: StoredTransfer[] } | undefined {
  let money = before;
  const transfers: StoredTransfer[] = [];
  for (const [index, moved] of moves.entries()) {
    const after = changedBy(money, moved, moved.type === 'income' ? moved.amount : -moved.amount);
    if (!after) return undefined;
    money = after;
    transfers.push({
      ...occasion,
      ...moved,
      id: firstId + index,
      status: 'completed',
      source_data: [],
      additional: { balances_after: balancesAfter(money, moved.currency) },
      created_at: at,
      updated_at: at,
    });
  }
  return { money, transfers };
}

/** Builds the writes of transfers. They belong in one transaction with the desk's money. */
export function transferWrites(home: Home, transfers: readonly StoredTransfer[]): Write[] {
  return transfers.map((transfer) =>
    putNew(recordKey(TRANSFER, home, transfer.id), { ...transfer, version: 1 }),
  );
}

/** Lists a desk's money in the currencies that it has some of, and in that of the transfer. */
function balancesAfter(money: DeskMoney, moved: Currency): z.input<typeof BalancesAfter> {
  const after: z.input<typeof BalancesAfter> = { cash: {}, card: {}, bank: {} };
  for (const kind of MONEY_KINDS) {
    const sum = moneyIn(money, kind);
    if (sum !== 0 || kind.currency === moved) after[kind.payment_type][kind.currency] = decimal(sum);
  }
  return after;
}

function decimal(cents: Cents): string {
  return (cents / 100).toFixed(2);
}
