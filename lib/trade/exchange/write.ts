import { withEarnings } from '#lib/clients/bonus-share.ts';
import type { Charge } from '#lib/clients/charge.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Home } from '#lib/table/keys.ts';
import type { MovedBonuses } from '#lib/trade/return/bonuses.ts';
import type { Original } from '#lib/trade/return/original.ts';
import { clientReturnWrites } from '#lib/trade/return/write.ts';
import type { Goods } from '#lib/trade/sale/goods.ts';
import type { ChequeHead } from '#lib/trade/sale/head.ts';
import type { Paid } from '#lib/trade/sale/payments.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { clientWrites, newSale } from '#lib/trade/sale/write.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { PaidDifference } from './difference.ts';
import type { Sides } from './sides.ts';

/** Enough for any customer; a return reads and guards all of them. */
const MOST_ORIGINS = 20;

/** Makes the new cheque: it inherits the money that the returned value stands for, and what that earned. */
export function exchangeSale(
  { original, basis }: Sides,
  head: ChequeHead,
  goods: Goods,
  { paid, allotment, moved }: PaidDifference & { readonly moved: MovedBonuses },
): Sale {
  const made = newSale(basis, head, goods, paid);
  return {
    ...made,
    exchange_of_sale_id: original.sale.id,
    received_amount: made.received_amount + allotment.passedOn,
    exchanged_amount: allotment.exchanged,
    bonus_shares: withEarnings(made.bonus_shares, moved.passedOn),
    origins: originsOf(original),
  };
}

/** Lists the cheques on debt that a cheque exchanged from this one comes from. 400 if they are too many. */
function originsOf({ sale, debt }: Original): Sale['origins'] {
  const { origins } = sale;
  if (!debt) return origins;
  if (origins.length === MOST_ORIGINS) throw refuse('exchange.too_many_debts', { most: MOST_ORIGINS });
  return [{ sale_id: sale.id, debt_id: debt.id, client_id: debt.client_id }, ...origins];
}

/**
 * Builds the writes to the clients of both cheques: one if it is the same client, as an item may come only
 * once.
 */
export function bothClientsWrites(
  original: Original,
  made: Sale,
  { home, charge, paid }: { readonly home: Home; readonly charge: Charge; readonly paid: Paid },
  due_date: string | null,
): Write[] {
  if (made.client_id !== original.sale.client_id) {
    const returned = clientReturnWrites(home, original, charge, made.created_at);
    return [...returned, ...clientWrites(home, made, paid, due_date)];
  }
  const { debt, takenBack } = charge;
  const joined = { ...paid.charge, debt: paid.charge.debt + debt, takenBack };
  return clientWrites(home, made, { ...paid, charge: joined }, due_date);
}

/** Builds the writes to the shelves of both warehouses, which may be one. */
export function bothShelvesWrites({ original, basis, back }: Sides): Write[] {
  const taken = basis.shelves.writes(basis.warehouse);
  return back === basis.shelves ? taken : [...taken, ...back.writes(original.warehouse)];
}

/** Joins what comes in and what goes out of one desk, whose money is one item. */
export function withPayouts({ paid, paidOut: { money, postings } }: PaidDifference): Paid {
  return { ...paid, money, postings: [...paid.postings, ...postings] };
}
