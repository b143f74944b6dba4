import { debts } from '#lib/clients/debt/record.ts';
import { vouched } from '#lib/records/stored.ts';
import { partition, recordKey } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { debtPayments, type StoredDebtPayment } from '#lib/trade/debt-payment/record.ts';
import type { Direction } from '#lib/values/money.ts';
import { type Audit, itemsAt } from './audit.ts';
import { addTo } from './sums.ts';

/**
 * Checks every debt payment against its postings, which it claims, and that those of a debt that count are
 * what it says is repaid. Notes when each client paid last.
 */
export async function checkDebtPayments(audit: Audit): Promise<void> {
  const { home } = audit;
  for await (const items of walk(partition(debtPayments.type, home))) {
    for (const item of items) checkPayment(audit, vouched(debtPayments.schema, item));
  }
  for (const [id, more] of audit.repaid) {
    if (more === 0) continue;
    const what = `says that ${more} more is repaid than its payments come to`;
    const history = itemsAt(recordKey(debts.type, home, Number(id)));
    audit.violations.push({ book: 'debt payments', subject: `debt ${id}`, what, history });
  }
}

function checkPayment(audit: Audit, payment: StoredDebtPayment): void {
  const { id, client_id, debt_id, amount, is_refunded, transfer_id, refund_transfer_id } = payment;
  addTo(audit.counts, 'debt payments', 1);
  audit.paidAt.set(client_id, Math.max(audit.paidAt.get(client_id) ?? 0, payment.created_at));
  if (!is_refunded) addTo(audit.repaid, String(debt_id), -amount);
  const faults = [
    ...postingFault(audit, payment, { id: transfer_id, type: 'income' }),
    ...(refund_transfer_id === null
      ? []
      : postingFault(audit, payment, { id: refund_transfer_id, type: 'outcome' })),
    ...(is_refunded === (refund_transfer_id !== null) ? [] : ['is refunded without a posting']),
  ];
  const history = itemsAt(recordKey(debtPayments.type, audit.home, id));
  for (const what of faults) {
    audit.violations.push({ book: 'debt payments', subject: `payment ${id}`, what, history });
  }
}

function postingFault(
  audit: Audit,
  { id: source_id, ...payment }: StoredDebtPayment,
  { id, type }: { readonly id: number; readonly type: Direction },
): string[] {
  const posting = audit.postings.claim(String(id));
  const isSame =
    posting?.type === type &&
    posting.payment_type === payment.payment_type &&
    posting.amount === payment.amount &&
    posting.currency === payment.currency &&
    posting.cashbox_id === payment.cashbox_id &&
    posting.source_type === 'debt_payment' &&
    posting.source_id === source_id;
  return isSame ? [] : [`its ${type} is not what posting ${id} says: ${JSON.stringify(posting)}`];
}
