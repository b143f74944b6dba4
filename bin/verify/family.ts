import { setTimeout as pause } from 'node:timers/promises';
import { DESK_MONEY } from '#lib/cash/desk/money.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { CLIENT_BALANCES } from '#lib/clients/client-balances.ts';
import { debts } from '#lib/clients/debt/record.ts';
import { counterKey } from '#lib/records/links/counters.ts';
import { stockLevelKey } from '#lib/stock/stock-level.ts';
import { SUPPLIER_BALANCES } from '#lib/stock/supplier/supplier.ts';
import { recordKey } from '#lib/table/keys.ts';
import { SALE_RETURN } from '#lib/trade/sale/returns-of.ts';
import { Books, type Findings, type Violation } from './frame/books.ts';
import { faultUnless } from './frame/ledger.ts';
import { readOwners } from './frame/owners.ts';
import { CORRECTIONS_REPORT, readCorrections } from './goods/cost-corrections.ts';
import { checkStockLevels } from './goods/goods.ts';
import { checkStockDocuments } from './goods/stock-documents.ts';
import { checkStocktakes } from './goods/stocktakes.ts';
import { checkLists } from './lists.ts';
import { checkCancellations } from './money/cancellations.ts';
import { checkClients, readDebts } from './money/clients.ts';
import { readDeposits, reportDeposits } from './money/deposits.ts';
import { readDesks } from './money/desks.ts';
import { checkOperations } from './money/operations.ts';
import { checkShifts } from './money/shifts.ts';
import { checkSuppliers, readOperations } from './money/suppliers.ts';
import { checkTariff } from './money/tariff.ts';
import { askSoldReports } from './reports/ask-reports.ts';
import { checkCashReport } from './reports/cash.ts';
import { DEPOSITS_REPORT, sumsOfDeposits } from './reports/deposits.ts';
import { askReport } from './reports/frame.ts';
import { PAYABLES_REPORT, sumsOfPayables } from './reports/payables.ts';
import { REORDER_REPORT, sumsOfReorder } from './reports/reorder.ts';
import { STOCK_REPORT } from './reports/stock.ts';
import { checkRefusedSales } from './sales/keys.ts';
import { checkSales } from './sales/sales.ts';
import { countSecrets } from './webhooks.ts';

/** Readings that must agree before a fault counts, and the pause between them. */
const READINGS = 3;
const APART_MS = 2_000;

/**
 * Checks all books of a family during operation. A change between two reads of one reading looks like a fault
 * in that reading only; a real fault is in every one.
 */
export async function checkFamily(familyId: number): Promise<Findings> {
  let { counts, violations } = await readBooks(familyId);
  for (let reading = 1; reading < READINGS && violations.length > 0; reading++) {
    await pause(APART_MS);
    const before = new Set(violations.map(nameOfViolation));
    const again = await readBooks(familyId);
    counts = again.counts;
    violations = again.violations.filter((violation) => before.has(nameOfViolation(violation)));
  }
  return { counts, violations };
}

/**
 * Reads all books once: movements first, then the documents, so that every movement read has its document.
 * Each checker ties its documents to the entries of the books, and uses the sums of earlier ones.
 */
export async function readBooks(familyId: number): Promise<Findings> {
  const books = new Books(familyId);
  const { tenant } = books;
  const counters = SUPPLIER_BALANCES;
  const suppliers = await readOwners(tenant, { book: 'suppliers', noun: 'supplier', counters });
  const clients = await readOwners(tenant, { book: 'clients', noun: 'client', counters: CLIENT_BALANCES });
  const checkStockReport = await askReport(books, STOCK_REPORT);
  const checkReorderReport = await askReport(books, REORDER_REPORT);
  const checkPayablesReport = await askReport(books, PAYABLES_REPORT);
  const checkDepositsReport = await askReport(books, DEPOSITS_REPORT);
  const onHand = await checkStockLevels(books);
  await readDesks(books);
  await checkCancellations(books);
  await checkCashReport(books);
  const debts = await readDebts(books);
  const deposits = await readDeposits(books);
  const owed = await readOperations(books);
  const checkSoldReports = await askSoldReports(books);
  const checkCorrections = await askReport(books, CORRECTIONS_REPORT);
  const { bonuses, occasions, sold } = await checkSales(books);
  await checkSoldReports(sold);
  await checkRefusedSales(books);
  await checkStocktakes(books);
  const corrections = await readCorrections(books);
  await checkCorrections(corrections.sums, corrections.days);
  await checkStockDocuments(books, onHand, corrections);
  await checkStockReport(onHand.sums);
  await checkReorderReport(sumsOfReorder(onHand.sums));
  await checkSuppliers(books, suppliers, owed);
  await checkPayablesReport(sumsOfPayables(owed.owed));
  await checkShifts(books, occasions, deposits.repayments);
  await checkOperations(books);
  reportDeposits(books);
  await checkDepositsReport(sumsOfDeposits(deposits.sums));
  await checkClients(books, clients, { ...debts, bonuses, deposits: deposits.sums });
  await checkTariff(books);
  await countSecrets(books);
  reportUntied(books);
  await books.goodsByCost.report(books);
  await checkLists(books);
  return books;
}

function nameOfViolation({ book, subject }: Violation): string {
  return `${book}: ${subject}`;
}

/** Reports movements, postings, debts and operations without a document. */
function reportUntied(books: Books): void {
  const { tenant } = books;
  const book = 'documents';
  for (const [subject, { stockId, productId, quantity }] of books.movements.withoutDocument()) {
    const what = `moved ${quantity} of product ${productId}, and has no such line`;
    books.report({ book, subject, keys: [stockLevelKey(tenant, stockId, productId)] }, [what]);
  }
  for (const [subject, quantity] of books.heldByLine) {
    const what = `keeps ${quantity}, and there is no such line`;
    books.report({ book, subject, keys: [] }, faultUnless(quantity === 0, what));
  }
  for (const [id, { source_type, source_id, cashbox_id }] of books.postings.withoutDocument()) {
    const what = `is of ${source_type} ${source_id}, which does not tell of it`;
    const desk = recordKey(DESK_MONEY.of, tenant, cashbox_id);
    books.reportRecord({ book, noun: 'posting', type: POSTING, id }, [what], [desk]);
  }
  for (const [id, { sale_id }] of books.returns.withoutDocument()) {
    const what = `is of sale ${sale_id}, which does not tell of it`;
    books.reportRecord({ book, noun: 'return', type: SALE_RETURN, id }, [what]);
  }
  for (const [id, { sale_id }] of books.debts.withoutDocument()) {
    const what = `is of sale ${sale_id}, which does not tell of it`;
    books.reportRecord({ book, noun: 'debt', type: debts.type, id }, [what]);
  }
  for (const [source, { supplier_id }] of books.operations.withoutDocument()) {
    const keys = [counterKey(SUPPLIER_BALANCES, tenant, supplier_id)];
    const subject = `operation of ${source}`;
    books.report({ book, subject, keys }, ['is of a document that does not tell of it']);
  }
}
