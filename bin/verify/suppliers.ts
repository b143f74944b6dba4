import type * as z from 'zod';
import { POSTING } from '#lib/cash/posting/record.ts';
import { counterKey } from '#lib/records/counters.ts';
import { vouched } from '#lib/records/stored.ts';
import { SUPPLIER_BALANCES } from '#lib/stock/supplier.ts';
import { SupplierOperation, supplierOperations } from '#lib/stock/supplier-operation.ts';
import { type Home, partition, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { walk } from '#lib/table/read/walk.ts';
import { type Audit, itemsAt } from './audit.ts';
import { operationFault } from './claims.ts';
import { addTo } from './sums.ts';

type StoredOperation = z.input<typeof SupplierOperation>;

/** Reads suppliers' sums before their operations. A supplier whose sum changes meanwhile is not judged. */
export async function readSuppliers({ home }: Audit): Promise<Map<number, Record<string, unknown>>> {
  const ids: number[] = [];
  for await (const items of walk(partition(SUPPLIER_BALANCES.of, home)))
    ids.push(...items.map(({ id }) => Number(id)));
  return sumsOf(home, ids);
}

/**
 * Adds up suppliers' operations and checks each against its reversal. Posts those of documents, which claim
 * them.
 */
export async function readOperations(audit: Audit): Promise<void> {
  const operations = new Map<number, StoredOperation>();
  for await (const items of walk(partition(supplierOperations.type, audit.home))) {
    for (const item of items) operations.set(Number(item['id']), vouched(SupplierOperation, item));
  }
  for (const operation of operations.values()) {
    const { id, supplier_id, currency, amount, source_type, source_id } = operation;
    addTo(audit.counts, 'operations of suppliers', 1);
    addTo(audit.owed, `${supplier_id} ${currency}`, amount);
    const isReversed = operation.reversal_id !== null;
    if (operation.reversal_of_id === null) {
      audit.operations.post(`${source_type} ${source_id}`, { supplier_id, currency, amount, isReversed });
    }
    const other = operations.get(operation.reversal_id ?? operation.reversal_of_id ?? id);
    if (isPaired(operation, other)) continue;
    audit.violations.push({
      book: 'suppliers',
      subject: `operation ${id}`,
      what: 'and its reversal are not of each other',
      history: itemsAt(recordKey(supplierOperations.type, audit.home, id)),
    });
  }
}

/** Tells whether an operation and its reversal, if it has one or is one, take each other back. */
function isPaired(operation: StoredOperation, other: StoredOperation | undefined): boolean {
  if (other === operation) return true;
  const isNamed = other?.reversal_id === operation.id || other?.reversal_of_id === operation.id;
  return isNamed && other.amount === -operation.amount && other.currency === operation.currency;
}

/** Checks that each supplier is owed the sum of its operations, and claims the payments. */
export async function checkSuppliers(
  audit: Audit,
  before: ReadonlyMap<number, Record<string, unknown>>,
): Promise<void> {
  claimPayments(audit, before);
  const after = await sumsOf(audit.home, [...before.keys()]);
  for (const [id, sums] of after) {
    addTo(audit.counts, 'suppliers', 1);
    for (const currency of SUPPLIER_BALANCES.names) {
      const [was, is] = [before.get(id)?.[currency], sums[currency]];
      const owed = audit.owed.get(`${id} ${currency}`) ?? 0;
      if (was !== is) addTo(audit.counts, 'suppliers too busy to be checked', 1);
      else if (is !== owed) {
        audit.violations.push({
          book: 'suppliers',
          subject: `supplier ${id}`,
          what: `is owed ${is} ${currency}, its operations come to ${owed}`,
          history: itemsAt(counterKey(SUPPLIER_BALANCES, audit.home, id)),
        });
      }
    }
  }
}

function claimPayments(audit: Audit, suppliers: ReadonlyMap<number, unknown>): void {
  const { postings, home, violations } = audit;
  for (const [id, { source_type, source_id, type, currency, amount }] of [...postings.unclaimed()]) {
    if (source_type !== 'supplier' || !suppliers.has(source_id) || type !== 'outcome') continue;
    postings.claim(id);
    const told = { supplier_id: source_id, currency, amount: -amount, isReversed: false };
    for (const what of operationFault(audit, `transfer ${id}`, told)) {
      const history = itemsAt(recordKey(POSTING, home, Number(id)));
      violations.push({ book: 'suppliers', subject: `posting ${id}`, what, history });
    }
  }
}

async function sumsOf(home: Home, ids: readonly number[]): Promise<Map<number, Record<string, unknown>>> {
  const items = await getItems(ids.map((id) => counterKey(SUPPLIER_BALANCES, home, id)));
  return new Map(ids.map((id, index) => [id, items[index] ?? {}]));
}
