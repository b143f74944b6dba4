import { counterKey } from '#lib/records/counters.ts';
import { SUPPLIER_BALANCES } from '#lib/stock/supplier.ts';
import { type Home, partition } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/reads.ts';
import { walk } from '#lib/table/walk.ts';
import { type Audit, addTo, itemsAt } from './audit.ts';

/**
 * Reads suppliers' sums before receipts and payments. A supplier whose sum changes meanwhile is not judged.
 */
export async function readSuppliers({ home }: Audit): Promise<Map<number, Record<string, unknown>>> {
  const ids: number[] = [];
  for await (const items of walk(partition(SUPPLIER_BALANCES.of, home)))
    ids.push(...items.map(({ id }) => Number(id)));
  return sumsOf(home, ids);
}

/** Checks that each supplier is owed its receipts less the payments to it, and claims the payments. */
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
          what: `is owed ${is} ${currency}, receipts less payments are ${owed}`,
          history: itemsAt(counterKey(SUPPLIER_BALANCES, audit.home, id)),
        });
      }
    }
  }
}

function claimPayments({ transfers, owed }: Audit, suppliers: ReadonlyMap<number, unknown>): void {
  for (const [name, { source_type, source_id, type, currency, amount }] of [...transfers.unclaimed()]) {
    if (source_type !== 'supplier' || !suppliers.has(source_id) || type !== 'outcome') continue;
    transfers.claim(name);
    addTo(owed, `${source_id} ${currency}`, -amount);
  }
}

async function sumsOf(home: Home, ids: readonly number[]): Promise<Map<number, Record<string, unknown>>> {
  const items = await getItems(ids.map((id) => counterKey(SUPPLIER_BALANCES, home, id)));
  return new Map(ids.map((id, index) => [id, items[index] ?? {}]));
}
