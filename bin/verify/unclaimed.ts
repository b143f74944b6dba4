import { DESK_MONEY } from '#lib/cash/desk/money.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { debts } from '#lib/clients/debt/record.ts';
import { counterKey } from '#lib/records/counters.ts';
import { balanceKey } from '#lib/stock/balance.ts';
import { SUPPLIER_BALANCES } from '#lib/stock/supplier.ts';
import { recordKey } from '#lib/table/keys.ts';
import { type Audit, itemsAt, type Violation } from './audit.ts';

/** Reports movements, debts and operations without a document: those that no book has claimed. */
export function checkUnclaimed(audit: Audit): void {
  const { home, movements, postings, debts: owed, operations, violations } = audit;
  const report = (subject: string, what: string, history: Violation['history']) =>
    violations.push({ book: 'documents', subject, what, history });
  for (const [name, { stockId, productId, quantity }] of movements.unclaimed()) {
    const what = `moved ${quantity} of product ${productId}, and has no such line`;
    report(name, what, itemsAt(balanceKey(home, stockId, productId)));
  }
  for (const [name, quantity] of audit.held) {
    if (quantity !== 0) report(name, `keeps ${quantity}, and there is no such line`, async () => []);
  }
  for (const [id, { source_type, source_id, cashbox_id }] of postings.unclaimed()) {
    const what = `is of ${source_type} ${source_id}, which does not tell of it`;
    const keys = [recordKey(POSTING, home, Number(id)), recordKey(DESK_MONEY.of, home, cashbox_id)];
    report(`posting ${id}`, what, itemsAt(...keys));
  }
  for (const [id, { sale_id }] of owed.unclaimed()) {
    const what = `is of sale ${sale_id}, which does not tell of it`;
    report(`debt ${id}`, what, itemsAt(recordKey(debts.type, home, Number(id))));
  }
  for (const [source, { supplier_id }] of operations.unclaimed()) {
    const keys = [counterKey(SUPPLIER_BALANCES, home, supplier_id)];
    report(`operation of ${source}`, 'is of a document that does not tell of it', itemsAt(...keys));
  }
}
