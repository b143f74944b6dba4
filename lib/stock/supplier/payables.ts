import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { documentInsertion, documentReplacement } from '#lib/records/documents.ts';
import { parseRecord, type Stored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { totalAmount } from '#lib/values/money.ts';
import { NOT_REVERSED } from '#lib/values/reversal.ts';
import type { Instant } from '#lib/values/time.ts';
import { type NewOperation, type StoredOperation, supplierOperations } from './operation.ts';
import * as suppliers from './supplier.ts';

/** Supplier whose payable a document changes on completion, as read before it. */
export interface Creditor {
  readonly id: number;
  /** Balances of the supplier. */
  readonly sums: Item | undefined;
  /** Allocated id of the operation. */
  readonly operationId: number;
}

/** Builds the writes of an operation and its payable; the caller has checked `requirePayableChange`. */
export function operationWrites(tenant: Tenant, operation: NewOperation, at: Instant): Write[] {
  const { supplier_id, currency, amount } = operation;
  return [
    documentInsertion(supplierOperations, tenant, newOperation(operation, at)),
    suppliers.payableWrite(tenant, supplier_id, { currency, change: amount }),
  ];
}

/** Completes the fields of a new operation. */
export function newOperation(operation: NewOperation, at: Instant): StoredOperation {
  return { ...operation, ...NOT_REVERSED, created_at: at, updated_at: at };
}

/** Reads the data needed to change a payable; undefined without a supplier. One round trip. */
export async function readCreditor(tenant: Tenant, supplierId: number | null): Promise<Creditor | undefined> {
  if (supplierId === null) return undefined;
  const [sums, operationId] = await Promise.all([
    getItem(suppliers.supplierBalancesKey(tenant, supplierId)),
    nextId(supplierOperations.type, tenant),
  ]);
  return { id: supplierId, sums, operationId };
}

/** Payable change of a document's completion, with the amount's path for errors. */
type CompletionChange = Pick<NewOperation, 'type' | 'source_type' | 'currency' | 'amount'> & {
  readonly creditor: Creditor | undefined;
  readonly path: string;
};

/**
 * Builds the writes by which a document's completion changes its supplier's payable; none without a supplier.
 * 400 and 422 as in `requirePayableChange`.
 */
export function completionWrites(
  actor: Staff,
  document: { readonly id: number; readonly company_id: number; readonly stock_id: number },
  { creditor, path, ...change }: CompletionChange,
  at: Instant,
): Write[] {
  if (!creditor) return [];
  suppliers.requirePayableChange(creditor.sums, { currency: change.currency, change: change.amount }, path);
  const { id: source_id, company_id, stock_id } = document;
  const whose = { id: creditor.operationId, supplier_id: creditor.id, company_id, stock_id };
  const operation = { ...whose, ...makerOf(actor), ...change, source_id, cashbox_id: null };
  return operationWrites(actor.tenant, operation, at);
}

/**
 * Builds the writes that reverse a document's operations with its supplier, which stay along with their
 * reversals. None without operations. 400 and 422 as in `requirePayableChange`. Two round trips. Contract
 * 9.18.
 */
export async function reversalWrites(
  actor: Staff,
  operationIds: readonly (number | null)[],
  path: string,
  at: Instant,
): Promise<Write[]> {
  const ids = operationIds.filter((id) => id !== null);
  if (ids.length === 0) return [];
  const { tenant } = actor;
  const [firstId, items] = await Promise.all([
    nextId(supplierOperations.type, tenant, ids.length),
    getItems(ids.map((id) => recordKey(supplierOperations.type, tenant, id))),
  ]);
  const operations = items.map((item) => parseRecord(supplierOperations.schema, item));
  const [first] = operations;
  if (!first) return [];
  const { supplier_id, currency } = first;
  const owed = { currency, change: -totalAmount(operations) };
  const sums = await getItem(suppliers.supplierBalancesKey(tenant, supplier_id));
  suppliers.requirePayableChange(sums, owed, path);
  return [
    ...operations.flatMap(
      (before, index) => reversalOf(actor, before, { id: firstId + index, comment: null, at }).documents,
    ),
    suppliers.payableWrite(tenant, supplier_id, owed),
  ];
}

/** Occasion of a reversal, and the allocated id of its operation. */
interface ReversalOccasion {
  readonly id: number;
  readonly comment: string | null;
  readonly at: Instant;
}

/**
 * Builds the reversal of an operation, the writes of both, and that of the payable, which is checked before.
 */
export function reversalOf(
  actor: Staff,
  before: Stored<typeof supplierOperations.schema>,
  { id, comment, at }: ReversalOccasion,
): { readonly reversal: StoredOperation; readonly documents: Write[]; readonly payable: Write } {
  const { tenant } = actor;
  const amount = -before.amount;
  const owed = { currency: before.currency, change: amount };
  const opposite = { ...before, ...makerOf(actor), id, type: 'reversal', amount, comment } as const;
  const reversal = { ...newOperation(opposite, at), reversal_of_id: before.id };
  return {
    reversal,
    documents: [
      ...documentReplacement(supplierOperations, tenant, before, {
        ...before,
        reversal_id: id,
        updated_at: at,
      }),
      documentInsertion(supplierOperations, tenant, reversal),
    ],
    payable:
      before.type === 'opening'
        ? suppliers.openingWrite(tenant, before.supplier_id, owed, { before: before.id, after: null })
        : suppliers.payableWrite(tenant, before.supplier_id, owed),
  };
}
