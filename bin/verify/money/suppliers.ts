import type * as z from 'zod';
import { POSTING } from '#lib/cash/posting/record.ts';
import { counterKey } from '#lib/records/links/counters.ts';
import { SUPPLIER_BALANCES } from '#lib/stock/supplier.ts';
import { SupplierOperation, supplierOperations } from '#lib/stock/supplier-operation.ts';
import { recordKey } from '#lib/table/keys.ts';
import { addTo, type Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { tieOperation } from '../frame/entries.ts';
import { type Owners, ownersAtRest } from '../frame/owners.ts';

type StoredOperation = z.input<typeof SupplierOperation>;

/** What suppliers are owed, by supplier and currency. */
type Owed = ReadonlyMap<string, number>;

/** Adds up suppliers' operations, checks each against its reversal, and posts those of documents. */
export async function readOperations(books: Books): Promise<Owed> {
  const byId = new Map<number, StoredOperation>();
  const kind = { type: supplierOperations.type, schema: SupplierOperation };
  for await (const operation of everyOf(books.home, kind)) byId.set(operation.id, operation);
  const owed = new Map<string, number>();
  for (const operation of byId.values()) {
    const { id, supplier_id, currency, amount, source_type, source_id, reversal_id, reversal_of_id } =
      operation;
    books.count('operations of suppliers');
    addTo(owed, `${supplier_id} ${currency}`, amount);
    const entry = { supplier_id, currency, amount, isReversed: reversal_id !== null };
    if (reversal_of_id === null) books.operations.post(`${source_type} ${source_id}`, entry);
    if (isPaired(operation, byId.get(reversal_id ?? reversal_of_id ?? id))) continue;
    const keys = [recordKey(supplierOperations.type, books.home, id)];
    const subject = { book: 'suppliers', subject: `operation ${id}`, keys };
    books.report(subject, ['and its reversal are not of each other']);
  }
  return owed;
}

/** Tells whether an operation and its reversal, if it has one or is one, take each other back. */
function isPaired(operation: StoredOperation, other: StoredOperation | undefined): boolean {
  if (other === operation) return true;
  const isNamed = other?.reversal_id === operation.id || other?.reversal_of_id === operation.id;
  return isNamed && other.amount === -operation.amount && other.currency === operation.currency;
}

/** Checks that each supplier is owed the sum of its operations, and ties payments to theirs. */
export async function checkSuppliers(books: Books, before: Owners, owed: Owed): Promise<void> {
  tiePayments(books, before);
  for (const [id, sums] of await ownersAtRest(books, 'suppliers', SUPPLIER_BALANCES, before)) {
    const keys = [counterKey(SUPPLIER_BALANCES, books.home, id)];
    const faults = SUPPLIER_BALANCES.names.flatMap((currency) => {
      const [is, sum] = [sums[currency], owed.get(`${id} ${currency}`) ?? 0];
      return is === sum ? [] : [`is owed ${is} ${currency}, its operations come to ${sum}`];
    });
    books.report({ book: 'suppliers', subject: `supplier ${id}`, keys }, faults);
  }
}

function tiePayments(books: Books, suppliers: Owners): void {
  for (const [id, { source_type, source_id, type, currency, amount }] of books.postings.withoutDocument()) {
    if (source_type !== 'supplier' || !suppliers.has(source_id) || type !== 'outcome') continue;
    books.postings.tie(id);
    const said = { supplier_id: source_id, currency, amount: -amount, isReversed: false };
    const keys = [recordKey(POSTING, books.home, Number(id))];
    const subject = { book: 'suppliers', subject: `posting ${id}`, keys };
    books.report(subject, tieOperation(books, `transfer ${id}`, said));
  }
}
