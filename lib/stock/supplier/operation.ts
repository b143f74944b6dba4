import * as z from 'zod';
import { among, withinReachOf } from '#lib/auth/account-manager.ts';
import { type Maker, madeBy, type Staff } from '#lib/auth/actor.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { Colleague } from '#lib/people/user/user.ts';
import { type DocumentType, listDocuments } from '#lib/records/documents.ts';
import { exact, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { documentQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import { eitherSide, equals } from '#lib/table/expression.ts';
import { getItem } from '#lib/table/read/get.ts';
import { notFound } from '#lib/values/api-error.ts';
import { Currency, Money } from '#lib/values/money.ts';
import { Timestamp } from '#lib/values/time.ts';
import * as suppliers from './supplier.ts';

const OperationKind = z.enum(['receipt', 'payment', 'writeoff', 'reversal']);

/** A change of what is owed to a supplier; the sum of them is the balance, always. Contract 9.18. */
export const SupplierOperation = z.object({
  id: z.int(),
  supplier_id: z.int(),
  company_id: z.int(),
  ...madeBy,
  type: OperationKind,
  currency: Currency,
  /** By how much more is owed; below zero for a payment and a write-off. */
  amount: Money,
  /** The document: of a payment, the desk's posting. */
  source_type: z.enum(['purchase', 'transfer', 'writeoff']),
  source_id: z.int(),
  /** Of a reversal: the operation that it takes back. */
  reversal_of_id: z.int().nullable(),
  /** Of one that no longer counts: what took it back. */
  reversal_id: z.int().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  creator: Colleague.nullish(),
});

/** An operation as the table holds it: with the place where goods or money moved, by which it is reached. */
const PlacedOperation = SupplierOperation.extend({
  stock_id: z.int().nullable(),
  cashbox_id: z.int().nullable(),
});

type StoredOperation = z.input<typeof PlacedOperation>;

/** What an operation tells beside its id and time. */
export type NewOperation = Pick<
  StoredOperation,
  | 'id'
  | 'supplier_id'
  | 'company_id'
  | keyof Maker
  | 'type'
  | 'currency'
  | 'amount'
  | 'source_type'
  | 'source_id'
  | 'stock_id'
  | 'cashbox_id'
>;

/**
 * How operations are kept. A caller reaches those of the warehouses and desks open to them. Contract 9.87.
 */
export const supplierOperations: DocumentType<typeof PlacedOperation> = {
  type: 'supplier-operation',
  copied: 'stock.supplier.operation',
  schema: PlacedOperation,
  filters: {
    ...familyFilters,
    type: exact('type', OperationKind),
    currency: exact('currency', Currency),
  },
  indexes: ['supplier_id', 'stock_id', 'cashbox_id'],
  reach: (actor) => [
    ...withinReachOf(actor),
    ...eitherSide(among('stock_id', actor.warehouses), among('cashbox_id', actor.cashDesks)),
  ],
};

/** The list's query string. */
export const SupplierOperationList = documentQuery(supplierOperations.filters, {
  sorts: ['id'],
  embeds: { 'creator.profile': familyEmbeds['creator.profile'] },
  pageSize: MAX_PAGE_SIZE,
});

/** Lists the operations of a supplier within the caller's reach. 404 without the supplier. */
export async function listOperations(actor: Staff, supplierId: number, query: ListQuery) {
  return listDocuments(supplierOperations, actor, await onlyOf(actor, supplierId, query));
}

/** Narrows a query to the operations of one supplier. 404 without the supplier. */
export async function onlyOf<Q extends ListQuery>(actor: Staff, supplierId: number, query: Q) {
  const supplier = await getItem(suppliers.keyOf(actor, supplierId));
  if (!suppliers.ifVisible(actor, supplier)) throw notFound();
  return { ...query, where: [...query.where, equals('supplier_id', supplierId)] };
}
