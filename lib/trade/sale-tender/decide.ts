import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { type DeskState, refuseBank } from '#lib/cash/desk/read.ts';
import { type PostingResult, postAtDesk, type RequestedMovement, writesAt } from '#lib/cash/posting/make.ts';
import type { StoredPosting } from '#lib/cash/posting/record.ts';
import { documentInsertion, documentReplacement } from '#lib/records/documents.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { addBankMoney } from '#lib/trade/return/purse.ts';
import { firstPaymentsOf, type Payment, type StoredSale, sales } from '#lib/trade/sale/record.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { type MinorUnits, PaymentType, totalAmount } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type SaleTenderInput, type StoredSaleTender, saleTenders } from './record.ts';

type Sums = StoredSaleTender['before'];

/** Data that a correction is decided by, as read. */
export interface TenderFacts {
  readonly ids: { readonly tender: number; readonly posting: number };
  readonly sale: Stored<typeof sales.schema>;
  readonly desk: DeskState;
  /** False if the correction brings money by bank, and the desk's company takes none. */
  readonly isBankTaken: boolean;
}

/** A valid correction, with all that its writes need. */
interface TenderPlan extends Pick<TenderFacts, 'sale'> {
  readonly after: TenderFacts['sale'];
  readonly posted: PostingResult;
  readonly correction: StoredSaleTender;
}

/**
 * Requires a sale whose payment types can be corrected: not on credit, without returns, foreign cash, change
 * or a fiscal receipt. 400 otherwise. Part 5, 5A.8, 2.
 */
export function requireCorrectable(sale: StoredSale): void {
  const { source_type, status, currency, transactions, change_amount = 0, fiscal = null } = sale;
  if (source_type !== 'native') throw badRequest('sale_tender.of_credit');
  if (status !== 'completed') throw badRequest('sale_tender.returned');
  const isForeign = transactions.some((paid) => paid.currency !== currency);
  if (isForeign || change_amount > 0) throw badRequest('sale_tender.foreign');
  if (fiscal !== null) throw badRequest('sale_tender.fiscalized');
}

/**
 * Requires that the shift of a sale is open; without one, that it is the day of the sale. 400 otherwise. Part
 * 5, 5A.8, 2.
 */
export function requireSameShift(
  { shift_id = null, sold_at }: Pick<StoredSale, 'shift_id' | 'sold_at'>,
  openShiftId: number | undefined,
  at: Instant,
): void {
  if (shift_id !== null && shift_id !== openShiftId) throw badRequest('sale_tender.shift_closed');
  if (shift_id === null && dayOf(sold_at) !== dayOf(at)) throw badRequest('sale_tender.not_today');
}

/** Lists the money of a sale by payment type. */
export function moneyOf({ transactions }: Pick<StoredSale, 'transactions'>): Sums {
  return transactions.flatMap(({ payment_type, amount }) => {
    const money = PaymentType.safeParse(payment_type).data;
    return money ? [{ payment_type: money, amount }] : [];
  });
}

/**
 * Decides a correction of a sale's payment types. 422 on sums that differ in total, or not at all, on bank
 * payments that are not taken, and on more than the desk has. Part 5, 5A.8, 2.
 */
export function decideTender(
  actor: Staff,
  requested: SaleTenderInput['transactions'],
  { ids, sale, desk, isBankTaken }: TenderFacts,
  at: Instant,
): TenderPlan {
  const issues = new ValidationIssues();
  const before = moneyOf(sale);
  const moves = movesBetween(sale, requested);
  const total = totalAmount(before);
  if (totalAmount(requested) !== total) {
    issues.add('transactions', { key: 'sale.payments_differ', with: { total: total / 100 } });
  }
  if (moves.length === 0) issues.add('transactions', 'sale_tender.unchanged');
  if (!isBankTaken) refuseBank(requested, 'transactions', issues);
  const source = { source_type: 'sale_tender', source_id: sale.id, ...makerOf(actor) } as const;
  const posted = postAtDesk(desk, moves, { ...source, comment: null, at, firstId: ids.posting }, issues);
  issues.throwIfAny();
  const { company_id, cashbox_id, currency, creator_id } = sale;
  const correction: StoredSaleTender = {
    ...{ id: ids.tender, ...makerOf(actor), sale_id: sale.id, company_id, cashbox_id, currency },
    ...{ before, after: requested, sale_creator_id: creator_id },
    transfer_ids: posted.postings.map(({ id }) => id),
    created_at: at,
  };
  const after = {
    // Its purse holds nothing else by payment type, and no later sale has any of it: nothing was returned.
    ...addBankMoney(sale, sumOf(requested, 'bank') - sumOf(before, 'bank')),
    transactions: paymentsAfter(sale, requested, posted.postings),
    first_transactions: firstPaymentsOf(sale),
    updated_at: at,
  };
  return { sale, after, posted, correction };
}

/** Builds all writes of a correction, apart from its saved response and the check of open books. */
export function tenderWrites(tenant: Tenant, { sale, after, posted, correction }: TenderPlan): Write[] {
  return [
    ...documentReplacement(sales, tenant, sale, after),
    documentInsertion(saleTenders, tenant, correction),
    ...writesAt(tenant, posted),
  ];
}

/**
 * Lists the movements of a correction: the desk pays out of each payment type that has lost, then takes in by
 * each that has gained.
 */
export function movesBetween(
  { currency, ...sale }: Pick<StoredSale, 'currency' | 'transactions'>,
  requested: SaleTenderInput['transactions'],
): RequestedMovement[] {
  const before = moneyOf(sale);
  const changes = PaymentType.options.map((payment_type) => {
    return { payment_type, change: sumOf(requested, payment_type) - sumOf(before, payment_type) };
  });
  const movesOf = (type: 'income' | 'outcome', sign: 1 | -1) =>
    changes
      .filter(({ change }) => sign * change > 0)
      .map(({ payment_type, change }) => {
        return { type, payment_type, currency, amount: sign * change, path: 'transactions' };
      });
  return [...movesOf('outcome', -1), ...movesOf('income', 1)];
}

/**
 * Returns the payments of a sale after a correction: money as requested, each with the posting that first
 * brought it, and debt and bonuses as they were.
 */
function paymentsAfter(
  { transactions, currency }: Pick<StoredSale, 'transactions' | 'currency'>,
  requested: SaleTenderInput['transactions'],
  postings: readonly StoredPosting[],
): Payment[] {
  const money = requested.map(({ payment_type, amount }): Payment => {
    const before = transactions.find((paid) => paid.payment_type === payment_type);
    const posting = postings.find((made) => made.payment_type === payment_type);
    const transfer_id = before?.transfer_id ?? posting?.id ?? null;
    return { payment_type, amount, currency, counted_amount: amount, transfer_id, debt_id: null };
  });
  const others = transactions.filter(({ payment_type }) => !PaymentType.safeParse(payment_type).success);
  return [...money, ...others];
}

function sumOf(sums: SaleTenderInput['transactions'], way: PaymentType): MinorUnits {
  return totalAmount(sums.filter(({ payment_type }) => payment_type === way));
}
