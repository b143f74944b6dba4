import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import { isPresent } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest, invalid, notFound } from '#lib/values/api-error.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { nonBlankText } from '#lib/values/fields.ts';
import { Currency, nonZeroAmount } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { type NewOperation, type StoredOperation, supplierOperations } from './operation.ts';
import { newOperation } from './payables.ts';
import * as suppliers from './supplier.ts';

/** Input to adjust the payable without goods or money. */
export const SupplierAdjustmentInput = z.object({
  type: enumeration('supplier_operation.type', ['opening', 'correction']),
  currency: Currency,
  amount: nonZeroAmount(),
  comment: nonBlankText(1000),
});

type SupplierAdjustment = z.output<typeof SupplierAdjustmentInput> & { readonly supplier_id: number };

/**
 * Adjusts the amount payable to a supplier: above zero, more is owed. Part 5, 5A.3, 2. 404 without the
 * supplier; 422 on an amount that exceeds the limit; 400 for a second opening balance in a currency. Two
 * round trips besides the caller's.
 */
export function adjust(
  actor: Staff,
  { supplier_id, type, currency, amount, comment }: SupplierAdjustment,
  at: Instant,
  saveResponse: (operation: StoredOperation) => Write[],
): Promise<StoredOperation> {
  const { tenant } = actor;
  const owed = { currency, change: amount };
  return retryOnContention(async () => {
    const [id, [supplier, sums]] = await Promise.all([
      nextId(supplierOperations.type, tenant),
      getItems([suppliers.keyOf(actor, supplier_id), suppliers.supplierBalancesKey(tenant, supplier_id)]),
    ]);
    if (!suppliers.ifVisible(actor, supplier) || !isPresent(sums)) throw notFound();
    const isOpening = type === 'opening';
    if (isOpening && suppliers.openingIn(sums, currency) !== null) throw badRequest('supplier.opened');
    if (!suppliers.canChangePayable(sums, owed)) throw invalid({ amount: BALANCE_TOO_LARGE });
    const whose = { id, supplier_id, company_id: actor.companyId, stock_id: null, cashbox_id: null };
    const source = { source_type: 'adjustment', source_id: id, ...makerOf(actor) } as const;
    const adjustment: NewOperation = { ...whose, ...source, type, currency, amount, comment };
    const operation = newOperation(adjustment, at);
    await transact([
      documentInsertion(supplierOperations, tenant, operation),
      isOpening
        ? suppliers.openingWrite(tenant, supplier_id, owed, { before: null, after: id })
        : suppliers.payableWrite(tenant, supplier_id, owed),
      ...saveResponse(operation),
    ]);
    return operation;
  });
}
