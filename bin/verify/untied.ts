import { DESK_MONEY } from '#lib/cash/desk/money.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { debts } from '#lib/clients/debt/record.ts';
import { counterKey } from '#lib/records/links/counters.ts';
import { balanceKey } from '#lib/stock/balance.ts';
import { SUPPLIER_BALANCES } from '#lib/stock/supplier.ts';
import { type Key, recordKey } from '#lib/table/keys.ts';
import type { Books } from './frame/books.ts';

/** Reports movements, postings, debts and operations to which no document has been tied. */
export function reportUntied(books: Books): void {
  const { home } = books;
  const report = (subject: string, what: string, ...keys: Key[]) =>
    books.report({ book: 'documents', subject, keys }, [what]);
  for (const [name, { stockId, productId, quantity }] of books.movements.withoutDocument()) {
    const what = `moved ${quantity} of product ${productId}, and has no such line`;
    report(name, what, balanceKey(home, stockId, productId));
  }
  for (const [name, quantity] of books.heldByLine) {
    if (quantity !== 0) report(name, `keeps ${quantity}, and there is no such line`);
  }
  for (const [id, { source_type, source_id, cashbox_id }] of books.postings.withoutDocument()) {
    const what = `is of ${source_type} ${source_id}, which does not tell of it`;
    const keys = [recordKey(POSTING, home, Number(id)), recordKey(DESK_MONEY.of, home, cashbox_id)];
    report(`posting ${id}`, what, ...keys);
  }
  for (const [id, { sale_id }] of books.debts.withoutDocument()) {
    const what = `is of sale ${sale_id}, which does not tell of it`;
    report(`debt ${id}`, what, recordKey(debts.type, home, Number(id)));
  }
  for (const [source, { supplier_id }] of books.operations.withoutDocument()) {
    const key = counterKey(SUPPLIER_BALANCES, home, supplier_id);
    report(`operation of ${source}`, 'is of a document that does not tell of it', key);
  }
}
