import * as z from 'zod';
import { makerOf, type Staff } from '#lib/access/actor.ts';

import { deskIn, deskKeys } from '#lib/cash/desk/read.ts';
import { requireShift } from '#lib/cash/desk/shift-rule.ts';
import { postAt, writesAt } from '#lib/cash/posting/at-desk.ts';
import { POSTING, type Posting } from '#lib/cash/posting/record.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import { isThere } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { Id, optionalText } from '#lib/values/fields.ts';
import { amount, Currency, PaymentType } from '#lib/values/money.ts';
import { Problems } from '#lib/values/problems.ts';
import { invalid, missing } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { operationWrites } from './owing.ts';
import * as suppliers from './supplier.ts';
import { supplierOperations } from './supplier-operation.ts';

type StoredPosting = z.input<typeof Posting>;

/** Input to pay a supplier. */
export const SupplierPaymentInput = z.object({
  cashbox_id: Id,
  payment_type: PaymentType,
  currency: Currency,
  amount: amount(0.01),
  comment: optionalText(1000),
});

type SupplierPayment = z.output<typeof SupplierPaymentInput> & { readonly supplier_id: number };

/**
 * Pays a supplier from a desk: money goes out, and less is owed; money paid ahead is a sum below zero.
 * Decisions, 7, "Supplier". Decisions, 8. 404 without the supplier, 422 on a desk that is not open to the
 * caller, and on an amount that the desk doesn't have or that pays too much ahead; 400 without the shift that
 * the desk needs.
 */
export async function pay(
  actor: Staff,
  { supplier_id: id, cashbox_id, comment, ...moved }: SupplierPayment,
  at: Instant,
  remember: (posting: StoredPosting) => Write[],
): Promise<StoredPosting> {
  const { home } = actor;
  const maker = makerOf(actor);
  return retryOnContention(async () => {
    const [postingId, operationId, [supplier, sums, deskItem, moneyItem]] = await Promise.all([
      nextId(POSTING, home),
      nextId(supplierOperations.type, home),
      getItems([
        suppliers.keyOf(actor, id),
        suppliers.supplierSumsKey(home, id),
        ...deskKeys(actor, cashbox_id),
      ]),
    ]);
    if (!suppliers.ifVisible(actor, supplier) || !isThere(sums)) throw missing();
    const desk = deskIn(actor, [deskItem, moneyItem]);
    if (!desk) throw invalid({ cashbox_id: 'validation.not_found' });
    await requireShift(actor, desk);
    const owed = { currency: moved.currency, change: -moved.amount };
    if (!suppliers.canBeOwed(sums, owed)) throw invalid({ amount: BALANCE_TOO_LARGE });
    const source = { source_type: 'supplier', source_id: id, ...maker, comment, at } as const;
    const problems = new Problems();
    const move = { type: 'outcome', ...moved, path: 'amount' } as const;
    const outcome = postAt(desk, [move], { ...source, firstId: postingId }, problems);
    const [posting] = outcome.postings;
    if (!posting) throw problems.refusal;
    const cause = { type: 'payment', source_type: 'transfer', source_id: postingId } as const;
    const place = { company_id: desk.company_id, stock_id: null, cashbox_id: desk.id };
    const less = { currency: moved.currency, amount: -moved.amount };
    const operation = { ...cause, ...place, ...less, ...maker, id: operationId, supplier_id: id };
    await transact([
      ...writesAt(home, outcome),
      ...operationWrites(home, operation, at),
      ...remember(posting),
    ]);
    return posting;
  });
}
