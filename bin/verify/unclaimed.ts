import { DESK_MONEY } from '#lib/cash/desk-money.ts';
import { TRANSFER } from '#lib/cash/transfer.ts';
import { debts } from '#lib/clients/debt.ts';
import { balanceKey } from '#lib/stock/balance.ts';
import { recordKey } from '#lib/table/keys.ts';
import { type Audit, itemsAt, type Violation } from './audit.ts';

/** Reports movements and debts without a document: those that no book has claimed. */
export function checkUnclaimed({ home, movements, transfers, debts: owed, violations }: Audit): void {
  const report = (subject: string, what: string, history: Violation['history']) =>
    violations.push({ book: 'documents', subject, what, history });
  for (const [name, { stockId, productId, quantity }] of movements.unclaimed()) {
    const what = `moved ${quantity} of product ${productId}, and has no such line`;
    report(name, what, itemsAt(balanceKey(home, stockId, productId)));
  }
  for (const [id, { source_type, source_id, cashbox_id }] of transfers.unclaimed()) {
    const what = `is of ${source_type} ${source_id}, which does not tell of it`;
    const keys = [recordKey(TRANSFER, home, Number(id)), recordKey(DESK_MONEY.of, home, cashbox_id)];
    report(`transfer ${id}`, what, itemsAt(...keys));
  }
  for (const [id, { sale_id }] of owed.unclaimed()) {
    const what = `is of sale ${sale_id}, which does not tell of it`;
    report(`debt ${id}`, what, itemsAt(recordKey(debts.type, home, Number(id))));
  }
}
