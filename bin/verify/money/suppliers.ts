import type * as z from 'zod';
import { POSTING } from '#lib/cash/posting/record.ts';
import { SupplierOperation, supplierOperations } from '#lib/stock/supplier/operation.ts';
import { openingIn } from '#lib/stock/supplier/supplier.ts';
import { Currency } from '#lib/values/money.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { tieOperation } from '../frame/entries.ts';
import { faultUnless, NamedSums } from '../frame/ledger.ts';
import { checkOwners, type Owners } from '../frame/owners.ts';
import { reversalFault } from './operations.ts';

type StoredOperation = z.input<typeof SupplierOperation>;

/** What suppliers' operations come to, by supplier and currency. */
interface Payables {
  readonly owed: NamedSums;
  /** Ids of the opening balances that count. */
  readonly openings: NamedSums;
}

/**
 * Sums suppliers' operations by supplier and currency, checks each against its reversal, and posts those of
 * documents: adjustments are documents themselves.
 */
export async function readOperations(books: Books): Promise<Payables> {
  const byId = new Map<number, StoredOperation>();
  const kind = { type: supplierOperations.type, schema: SupplierOperation };
  for await (const operation of everyOf(books.tenant, kind)) byId.set(operation.id, operation);
  const [owed, openings] = [new NamedSums(), new NamedSums()];
  for (const operation of byId.values()) {
    const { id, type, supplier_id, currency, amount, source_type, source_id } = operation;
    const { reversal_id, reversal_of_id } = operation;
    const isAdjustment = source_type === 'adjustment';
    books.count('operations of suppliers');
    owed.add(`${supplier_id} ${currency}`, amount);
    if (type === 'opening' && reversal_id === null) openings.add(`${supplier_id} ${currency}`, id);
    const entry = { supplier_id, currency, amount, isReversed: reversal_id !== null };
    if (reversal_of_id === null && !isAdjustment) books.operations.post(`${source_type} ${source_id}`, entry);
    const isRight = isPaired(operation, byId.get(reversal_id ?? reversal_of_id ?? id));
    const subject = { book: 'suppliers', noun: 'operation', type: supplierOperations.type, id };
    books.reportRecord(subject, [
      ...faultUnless(isRight, 'and its reversal are not of each other'),
      ...faultUnless(!isAdjustment || source_id === (reversal_of_id ?? id), 'is not its own document'),
    ]);
  }
  return { owed, openings };
}

/** Returns whether an operation and its reversal, if any, cancel each other. */
function isPaired(operation: StoredOperation, other: StoredOperation | undefined): boolean {
  if (other === operation) return true;
  const isNamed = other?.reversal_id === operation.id || other?.reversal_of_id === operation.id;
  return isNamed && other.amount === -operation.amount && other.currency === operation.currency;
}

/** Checks that each supplier's payable is the sum of its operations, and ties payments to theirs. */
export async function checkSuppliers(
  books: Books,
  before: Owners,
  { owed, openings }: Payables,
): Promise<void> {
  tiePayments(books, before);
  await checkOwners(books, before, (id, sums) =>
    Currency.options.flatMap((currency) => {
      const [is, sum] = [sums[currency], owed.of(`${id} ${currency}`)];
      const opening = openings.get(`${id} ${currency}`) ?? null;
      return [
        ...faultUnless(is === sum, `is owed ${is} ${currency}, its operations come to ${sum}`),
        ...faultUnless(openingIn(sums, currency) === opening, `has not opening ${opening} in ${currency}`),
      ];
    }),
  );
}

function tiePayments(books: Books, { had }: Owners): void {
  const ofSuppliers = books.postings
    .withoutDocument()
    .filter(([, { source_type, source_id }]) => source_type === 'supplier' && had.has(source_id))
    .map(([id, posting]) => [Number(id), posting] as const);
  const byId = new Map(ofSuppliers);
  for (const [id, posting] of byId) {
    const { type, source_id: supplier_id, currency, amount, reversal_of_id, is_returned } = posting;
    books.postings.tie(id);
    const owed = { supplier_id, currency, amount: type === 'income' ? amount : -amount };
    const fault = reversalFault(id, posting, byId);
    const subject = { book: 'suppliers', noun: 'posting', type: POSTING, id };
    books.reportRecord(subject, [
      ...(fault ? [fault] : []),
      // The operation of a reversal has the source of the first.
      ...(typeof reversal_of_id === 'number'
        ? []
        : tieOperation(books, `transfer ${id}`, { ...owed, isReversed: is_returned === true })),
    ]);
  }
}
