import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { deskIn, deskKeys, requireShift } from '#lib/cash/desk/read.ts';
import { postAtDesk, writesAt } from '#lib/cash/posting/make.ts';
import { POSTING, type Posting } from '#lib/cash/posting/record.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import { isPresent } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { invalid, notFound } from '#lib/values/api-error.ts';
import { Id, optionalText } from '#lib/values/fields.ts';
import { amount, Currency, Direction, type MinorUnits, PaymentType } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { supplierOperations } from './operation.ts';
import { operationWrites } from './payables.ts';
import * as suppliers from './supplier.ts';

type StoredPosting = z.input<typeof Posting>;

/** Input of a payment to a supplier, or of one from them. */
export const SupplierPaymentInput = z.object({
  type: Direction.default('outcome'),
  cashbox_id: Id,
  payment_type: PaymentType,
  currency: Currency,
  amount: amount(0.01),
  comment: optionalText(1000),
});

type SupplierPayment = z.output<typeof SupplierPaymentInput> & { readonly supplier_id: number };

/**
 * Pays a supplier from a desk: reduces the desk's money and the payable, which is negative after an advance
 * payment. An `income` is money that they pay back: both grow. Contract 7, "Supplier". Contract 8. Part 5,
 * 5A.3, 1. 404 without the supplier; 422 on a desk not open to the
 * caller, and on an amount that the desk lacks or that exceeds the advance limit; 400 if the desk needs a
 * shift and has none.
 */
export async function pay(
  actor: Staff,
  payment: SupplierPayment,
  at: Instant,
  saveResponse: (posting: StoredPosting) => Write[],
): Promise<StoredPosting> {
  return retryOnContention(async () => {
    const basis = await readBasis(actor, payment);
    await requireShift(actor, basis.desk);
    const owed = { currency: payment.currency, change: payableOf(payment) };
    if (!suppliers.canChangePayable(basis.sums, owed)) throw invalid({ amount: BALANCE_TOO_LARGE });
    const { posting, writes } = post(actor, payment, basis, at);
    const operation = operationOf(actor, payment, basis);
    await transact([...writes, ...operationWrites(actor.tenant, operation, at), ...saveResponse(posting)]);
    return posting;
  });
}

type Basis = Awaited<ReturnType<typeof readBasis>>;

async function readBasis(actor: Staff, { supplier_id, cashbox_id }: SupplierPayment) {
  const { tenant } = actor;
  const [postingId, operationId, [supplier, sums, deskItem, moneyItem]] = await Promise.all([
    nextId(POSTING, tenant),
    nextId(supplierOperations.type, tenant),
    getItems([
      suppliers.keyOf(actor, supplier_id),
      suppliers.supplierBalancesKey(tenant, supplier_id),
      ...deskKeys(actor, cashbox_id),
    ]),
  ]);
  if (!suppliers.ifVisible(actor, supplier) || !isPresent(sums)) throw notFound();
  const desk = deskIn(actor, [deskItem, moneyItem]);
  if (!desk) throw invalid({ cashbox_id: 'validation.not_found' });
  return { postingId, operationId, sums, desk };
}

/** Returns the change of the payable by a payment. */
function payableOf({ type, amount: paid }: SupplierPayment): MinorUnits {
  return type === 'income' ? paid : -paid;
}

/**
 * Moves the money at the desk: returns the posting and its writes. 422 on an amount that the desk lacks, or
 * would have too much with.
 */
function post(
  actor: Staff,
  { supplier_id: source_id, type, payment_type, currency, amount: paid, comment }: SupplierPayment,
  { desk, postingId: firstId }: Basis,
  at: Instant,
) {
  const issues = new ValidationIssues();
  const move = { type, payment_type, currency, amount: paid, path: 'amount' };
  const cause = { source_type: 'supplier', source_id, ...makerOf(actor), comment, at, firstId } as const;
  const outcome = postAtDesk(desk, [move], cause, issues);
  const [posting] = outcome.postings;
  if (!posting) throw issues.refusal;
  return { posting, writes: writesAt(actor.tenant, outcome) };
}

function operationOf(actor: Staff, payment: SupplierPayment, { desk, postingId, operationId }: Basis) {
  const { supplier_id, currency } = payment;
  const cause = { type: 'payment', source_type: 'transfer', source_id: postingId } as const;
  const place = { company_id: desk.company_id, stock_id: null, cashbox_id: desk.id };
  return {
    ...cause,
    ...place,
    ...makerOf(actor),
    id: operationId,
    supplier_id,
    currency,
    amount: payableOf(payment),
  };
}
