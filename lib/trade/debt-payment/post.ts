import type { Maker } from '#lib/access/actor.ts';
import type { DeskMoney } from '#lib/cash/desk/money.ts';
import { addToShift } from '#lib/cash/desk/movement.ts';
import { atDesk, type DeskState } from '#lib/cash/desk/read.ts';
import { type Occasion, postEach } from '#lib/cash/posting/make.ts';
import type { StoredPosting } from '#lib/cash/posting/record.ts';
import { totalAmount } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import type { Portion } from './portion.ts';
import type { StoredDebtPayment } from './record.ts';

/** What all parts of a payment have in common. */
type Circumstances = Pick<StoredDebtPayment, 'client_id' | 'currency'> &
  Pick<Occasion, 'at'> & {
    readonly maker: Maker;
    /** Those of the first part; the others follow. */
    readonly ids: { readonly payment: number; readonly posting: number };
  };

/** Payments with the desk's incomes, and what it has with them. */
interface Posted {
  readonly payments: readonly StoredDebtPayment[];
  readonly postings: readonly StoredPosting[];
  readonly money: DeskMoney;
}

/** Makes a payment and an income of each portion. What the desk has no room for goes to `problems`. */
export function postPortions(
  desk: DeskState,
  portions: readonly Portion[],
  { client_id, currency, maker, ids, at }: Circumstances,
  problems: Problems,
): Posted {
  const place = { ...atDesk(desk), ...maker };
  const payments: StoredDebtPayment[] = [];
  const postings: StoredPosting[] = [];
  let money = addToShift(desk.money, { debt: { currency, repaid: totalAmount(portions) } });
  for (const { debt, payment_type, amount, index } of portions) {
    const id = ids.payment + payments.length;
    const transfer_id = ids.posting + postings.length;
    const source = { source_type: 'debt_payment', source_id: id } as const;
    const occasion = { ...place, ...source, comment: null, at, firstId: transfer_id };
    const path = `payments.${index}.amount`;
    const moved = { type: 'income', payment_type, currency, amount, path } as const;
    const income = postEach(money, [moved], occasion, problems);
    money = income.money;
    postings.push(...income.postings);
    const own = { id, ...place, client_id, debt_id: debt.id, payment_type, currency, amount };
    const flags = { is_refunded: false, is_imported: false, refund_transfer_id: null };
    payments.push({ ...own, ...flags, transfer_id, created_at: at });
  }
  return { payments, postings, money };
}
