import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { reverseMoney } from '#lib/cash/posting/reverse.ts';
import { getDocumentToChange } from '#lib/records/documents.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import { isPresent, type Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest, notFound } from '#lib/values/api-error.ts';
import { Id } from '#lib/values/fields.ts';
import { type ReversalInput, requireReversible } from '#lib/values/reversal.ts';
import type { Instant } from '#lib/values/time.ts';
import { type StoredOperation, supplierOperations } from './operation.ts';
import { reversalOf } from './payables.ts';
import * as suppliers from './supplier.ts';

/** Path parameters of an operation. */
export const OperationParams = z.object({ model: Id, operation: Id });

type ReadOperation = Stored<typeof supplierOperations.schema>;

/** Call of a reversal. */
interface ReversalCall extends z.output<typeof ReversalInput> {
  readonly at: Instant;
  readonly saveResponse: (reversal: StoredOperation) => Write[];
}

/**
 * Reverses a payment or an adjustment at any time: its money goes back at its own desk. Part 5, 5A.3, 3; 5.0,
 * 3. 404 without the operation; 400 for another operation, one that has a reversal or is one, a supplier or
 * desk that is gone, and a desk without the money.
 */
export function reverseOperation(
  actor: Staff,
  { model, operation }: z.output<typeof OperationParams>,
  { comment, at, saveResponse }: ReversalCall,
): Promise<StoredOperation> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const [id, before] = await Promise.all([
      nextId(supplierOperations.type, tenant),
      getDocumentToChange(supplierOperations, actor, operation),
    ]);
    if (before.supplier_id !== model) throw notFound();
    requireReversible(before);
    const [money] = await Promise.all([
      moneyBack(actor, before, { comment, at }),
      requirePayable(actor, before),
    ]);
    const { reversal, documents, payable } = reversalOf(actor, before, { id, comment, at });
    await transact([...documents, payable, ...money, ...saveResponse(reversal)]);
    return reversal;
  });
}

/** Requires that the payable can go back. */
async function requirePayable({ tenant }: Staff, { supplier_id, currency, amount }: ReadOperation) {
  const sums = await getItem(suppliers.supplierBalancesKey(tenant, supplier_id));
  if (!isPresent(sums)) throw badRequest('supplier.gone');
  if (suppliers.canChangePayable(sums, { currency, change: -amount })) return;
  throw badRequest(BALANCE_TOO_LARGE.key, BALANCE_TOO_LARGE.with);
}

/** Builds the writes that take an operation's money back; none for an adjustment. */
async function moneyBack(
  actor: Staff,
  before: ReadOperation,
  occasion: { readonly comment: string; readonly at: Instant },
): Promise<Write[]> {
  const { type, company_id, cashbox_id, source_id } = before;
  if (type === 'opening' || type === 'correction') return [];
  if (type !== 'payment' || cashbox_id === null) throw badRequest('supplier.operation_not_reversible');
  const money = { company_id, cashbox_id, transfer_id: source_id };
  return (await reverseMoney(actor, money, occasion)).writes;
}
