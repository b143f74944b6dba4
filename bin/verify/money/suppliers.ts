import type * as z from 'zod';
import { POSTING } from '#lib/cash/posting/record.ts';
import { SupplierOperation, supplierOperations } from '#lib/stock/supplier/operation.ts';
import { SUPPLIER_BALANCES } from '#lib/stock/supplier/supplier.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { tieOperation } from '../frame/entries.ts';
import { faultUnless, NamedSums } from '../frame/ledger.ts';
import { checkOwners, type Owners } from '../frame/owners.ts';

type StoredOperation = z.input<typeof SupplierOperation>;

/**
 * Sums suppliers' operations by supplier and currency, checks each against its reversal, and posts those of
 * documents.
 */
export async function readOperations(books: Books): Promise<NamedSums> {
  const byId = new Map<number, StoredOperation>();
  const kind = { type: supplierOperations.type, schema: SupplierOperation };
  for await (const operation of everyOf(books.tenant, kind)) byId.set(operation.id, operation);
  const owed = new NamedSums();
  for (const operation of byId.values()) {
    const { id, supplier_id, currency, amount, source_type, source_id } = operation;
    const { reversal_id, reversal_of_id } = operation;
    books.count('operations of suppliers');
    owed.add(`${supplier_id} ${currency}`, amount);
    const entry = { supplier_id, currency, amount, isReversed: reversal_id !== null };
    if (reversal_of_id === null) books.operations.post(`${source_type} ${source_id}`, entry);
    const isRight = isPaired(operation, byId.get(reversal_id ?? reversal_of_id ?? id));
    const subject = { book: 'suppliers', noun: 'operation', type: supplierOperations.type, id };
    books.reportRecord(subject, faultUnless(isRight, 'and its reversal are not of each other'));
  }
  return owed;
}

/** Returns whether an operation and its reversal, if any, cancel each other. */
function isPaired(operation: StoredOperation, other: StoredOperation | undefined): boolean {
  if (other === operation) return true;
  const isNamed = other?.reversal_id === operation.id || other?.reversal_of_id === operation.id;
  return isNamed && other.amount === -operation.amount && other.currency === operation.currency;
}

/** Checks that each supplier's payable is the sum of its operations, and ties payments to theirs. */
export async function checkSuppliers(books: Books, before: Owners, owed: NamedSums): Promise<void> {
  tiePayments(books, before);
  await checkOwners(books, before, (id, sums) =>
    SUPPLIER_BALANCES.names.flatMap((currency) => {
      const [is, sum] = [sums[currency], owed.of(`${id} ${currency}`)];
      return faultUnless(is === sum, `is owed ${is} ${currency}, its operations come to ${sum}`);
    }),
  );
}

function tiePayments(books: Books, { had }: Owners): void {
  for (const [id, { source_type, source_id, type, currency, amount }] of books.postings.withoutDocument()) {
    if (source_type !== 'supplier' || !had.has(source_id) || type !== 'outcome') continue;
    books.postings.tie(id);
    const expected = { supplier_id: source_id, currency, amount: -amount, isReversed: false };
    const subject = { book: 'suppliers', noun: 'posting', type: POSTING, id };
    books.reportRecord(subject, tieOperation(books, `transfer ${id}`, expected));
  }
}
