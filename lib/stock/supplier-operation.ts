import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { type Maker, madeBy, makerOf } from '#lib/access/impersonation.ts';
import { among, withinReachOf } from '#lib/access/keeper.ts';
import { familyEmbeds, familyFilters, familyIndexes } from '#lib/people/family-record.ts';
import { Colleague } from '#lib/people/user/user.ts';
import {
  type DocumentType,
  documentInsertion,
  documentReplacement,
  listDocuments,
} from '#lib/records/documents.ts';
import { exact } from '#lib/records/query/filters.ts';
import { documentQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import { vouchRecord } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { eitherSide, equals } from '#lib/table/expression.ts';
import { type Home, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { Currency, Money } from '#lib/values/money.ts';
import { missing } from '#lib/values/refusal.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import * as suppliers from './supplier.ts';

const OperationKind = z.enum(['receipt', 'payment', 'writeoff', 'reversal']);

/** A change of what is owed to a supplier; the sum of them is the balance, always. Decisions, 9 (18). */
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
 * How operations are kept. A caller reaches those of the warehouses and desks open to them. Decisions, 9
 * (87).
 */
export const supplierOperations: DocumentType<typeof PlacedOperation> = {
  type: 'supplier-operation',
  schema: PlacedOperation,
  indexes: [...familyIndexes, 'supplier_id', 'type', 'currency', 'stock_id', 'cashbox_id'],
  reach: (actor) => [
    ...withinReachOf(actor),
    ...eitherSide(among('stock_id', actor.warehouses), among('cashbox_id', actor.cashDesks)),
  ],
};

/** The list's query string. */
export const SupplierOperationList = documentQuery({
  filters: {
    ...familyFilters,
    type: exact('type', OperationKind),
    currency: exact('currency', Currency),
  },
  sorts: ['id'],
  embeds: { 'creator.profile': familyEmbeds['creator.profile'] },
  pageSize: 20,
});

/** Lists the operations of a supplier within the caller's reach. 404 without the supplier. */
export async function listOperations(actor: Staff, supplierId: number, query: ListQuery) {
  return listDocuments(supplierOperations, actor, await onlyOf(actor, supplierId, query));
}

/** Narrows a query to the operations of one supplier. 404 without the supplier. */
export async function onlyOf<Q extends ListQuery>(actor: Staff, supplierId: number, query: Q) {
  const supplier = await getItem(suppliers.keyOf(actor, supplierId));
  if (!suppliers.ifVisible(actor, supplier)) throw missing();
  return { ...query, where: [...query.where, equals('supplier_id', supplierId)] };
}

/** Builds the writes of an operation and of what is owed, for which `requireOwable` holds. */
export function operationWrites(home: Home, operation: NewOperation, at: Instant): Write[] {
  const { supplier_id, currency, amount } = operation;
  const links = { reversal_of_id: null, reversal_id: null };
  return [
    documentInsertion(supplierOperations, home, { ...operation, ...links, created_at: at, updated_at: at }),
    suppliers.owe(home, supplier_id, { currency, change: amount }),
  ];
}

/** A document whose completion changes what is owed to its supplier, if it has one. */
interface OwingDocument {
  readonly id: number;
  readonly company_id: number;
  readonly stock_id: number;
  readonly supplier_id: number | null;
  readonly supplier_operation_id: number | null;
}

/** What its completion changes, with the supplier's sums as they were read, and the path of the amount. */
type Owing = Pick<NewOperation, 'type' | 'source_type' | 'currency' | 'amount'> & {
  readonly sums: Item | undefined;
  readonly path: string;
};

/**
 * Builds the writes by which a document's completion changes what is owed to its supplier, none without
 * one. 400 and 422 as `requireOwable` says.
 */
export function completionWrites(
  actor: Staff,
  { id: source_id, supplier_id, supplier_operation_id, company_id, stock_id }: OwingDocument,
  { sums, path, ...change }: Owing,
  at: Instant,
): Write[] {
  if (supplier_id === null || supplier_operation_id === null) return [];
  suppliers.requireOwable(sums, { currency: change.currency, change: change.amount }, path);
  const whose = { id: supplier_operation_id, supplier_id, company_id, stock_id, ...makerOf(actor) };
  return operationWrites(actor.home, { ...whose, ...change, source_id, cashbox_id: null }, at);
}

/**
 * Builds the writes by which an operation no longer counts: it stays, with its reversal. None without an
 * operation. 400 and 422 as `requireOwable` says. Two round trips. Decisions, 9 (18).
 */
export async function reversalWrites(
  actor: Staff,
  operationId: number | null,
  path: string,
  at: Instant,
): Promise<Write[]> {
  if (operationId === null) return [];
  const { home } = actor;
  const [id, item] = await Promise.all([
    nextId(supplierOperations.type, home),
    getItem(recordKey(supplierOperations.type, home, operationId)),
  ]);
  const before = vouchRecord(PlacedOperation, item);
  const { supplier_id, currency } = before;
  const amount = -before.amount;
  const owed = { currency, change: amount };
  suppliers.requireOwable(await getItem(suppliers.owedKey(home, supplier_id)), owed, path);
  const links = { reversal_of_id: before.id, reversal_id: null, created_at: at, updated_at: at };
  const reversal = { ...before, ...links, ...makerOf(actor), id, type: 'reversal', amount } as const;
  return [
    ...documentReplacement(supplierOperations, home, before, { ...before, reversal_id: id, updated_at: at }),
    documentInsertion(supplierOperations, home, reversal),
    suppliers.owe(home, supplier_id, owed),
  ];
}
