import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { type Maker, madeBy, type Staff } from '#lib/auth/actor.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { Colleague } from '#lib/people/user/colleague.ts';
import { type DocumentType, listDocuments } from '#lib/records/documents.ts';
import { exact, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { documentQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import { any, type Expression, equals, oneOf } from '#lib/table/expression.ts';
import { getItem } from '#lib/table/read/get.ts';
import { notFound } from '#lib/values/api-error.ts';
import { costField } from '#lib/values/cost.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Currency, Money } from '#lib/values/money.ts';
import { reversalLinks } from '#lib/values/reversal.ts';
import { Timestamp } from '#lib/values/time.ts';
import * as suppliers from './supplier.ts';

const OperationKind = enumeration('supplier_operation.type', [
  'receipt',
  'payment',
  'writeoff',
  'reversal',
  'opening',
  'correction',
  'cost_correction',
]);

/** Documents of goods, whose operations reveal what these cost. */
const BY_GOODS: readonly unknown[] = ['purchase', 'writeoff', 'cost_correction'];

function isByGoods(source_type: unknown): boolean {
  return BY_GOODS.includes(source_type);
}

/** Change of a payable; a supplier's balance always equals their sum. Contract 9.18. */
export const SupplierOperation = z.object({
  id: z.int(),
  supplier_id: z.int(),
  company_id: z.int(),
  ...madeBy,
  type: OperationKind,
  currency: Currency,
  /** Increase of the payable; negative for a payment or write-off. */
  amount: costField(Money, ({ source_type }) => isByGoods(source_type)),
  /** Source document; for a payment, the desk's posting; for an adjustment, itself. */
  source_type: enumeration('document', ['purchase', 'transfer', 'writeoff', 'adjustment', 'cost_correction']),
  source_id: z.int(),
  ...reversalLinks,
  comment: z.string().nullable().default(null),
  created_at: Timestamp,
  updated_at: Timestamp,
  creator: Colleague.nullish(),
});

/** Stored operation, with the warehouse or desk that determines its reach. */
const PlacedOperation = SupplierOperation.extend({
  stock_id: z.int().nullable(),
  cashbox_id: z.int().nullable(),
});

export type StoredOperation = z.input<typeof PlacedOperation>;

/** Fields of a new operation, without links and times. */
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
> &
  Pick<Partial<StoredOperation>, 'comment'>;

/**
 * Document type of operations. Reach: operations of the warehouses and desks open to the caller, and
 * adjustments of their companies. Contract 9.87; Part 5, 5A.3, 2.
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
  indexes: ['supplier_id', 'stock_id', 'cashbox_id', 'source_type'],
  reach: (actor) => [...withinReachOf(actor), ...atOpenPlace(actor)],
};

/** Selects operations of open places, and adjustments, which have none. */
function atOpenPlace({ warehouses, cashDesks }: Staff): Expression[] {
  if (warehouses === 'all' || cashDesks === 'all') return [];
  const isAdjustment = equals('source_type', 'adjustment');
  return [any([oneOf('stock_id', warehouses), oneOf('cashbox_id', cashDesks), isAdjustment])];
}

/** Query string of the list. */
export const SupplierOperationList = documentQuery(supplierOperations.filters, {
  sorts: ['id'],
  embeds: { 'creator.profile': familyEmbeds['creator.profile'] },
  pageSize: MAX_PAGE_SIZE,
});

/** Lists the operations of a supplier within the caller's reach. 404 without the supplier. */
export async function listOperations(actor: Staff, supplierId: number, query: ListQuery) {
  return listDocuments(supplierOperations, actor, await onlyOf(actor, supplierId, query));
}

/** Restricts a query to the operations of one supplier. 404 without the supplier. */
export async function onlyOf<Q extends ListQuery>(actor: Staff, supplierId: number, query: Q) {
  const supplier = await getItem(suppliers.keyOf(actor, supplierId));
  if (!suppliers.ifVisible(actor, supplier)) throw notFound();
  return { ...query, where: [...query.where, equals('supplier_id', supplierId)] };
}
