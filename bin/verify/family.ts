import { setTimeout as pause } from 'node:timers/promises';
import { CLIENT_SUMS } from '#lib/clients/client-sums.ts';
import { SUPPLIER_BALANCES } from '#lib/stock/supplier.ts';
import { checkSales } from './cheques/sales.ts';
import { type Findings, openBooks, type Violation } from './frame/books.ts';
import { readOwners } from './frame/owners.ts';
import { checkCounts } from './goods/counts.ts';
import { readBalances } from './goods/goods.ts';
import { checkHolds } from './goods/holds.ts';
import { checkReceipts } from './goods/receipts.ts';
import { checkStockTransfers } from './goods/stock-transfers.ts';
import { checkWriteOffs } from './goods/write-offs.ts';
import { checkLists } from './lists.ts';
import { checkClients } from './money/clients.ts';
import { checkCollections } from './money/collections.ts';
import { checkDebtPayments } from './money/debt-payments.ts';
import { readDebts } from './money/debts.ts';
import { readDesks } from './money/desks.ts';
import { checkOperations } from './money/operations.ts';
import { checkShifts } from './money/shifts.ts';
import { checkSuppliers, readOperations } from './money/suppliers.ts';
import { checkTariff } from './money/tariff.ts';
import { reportUntied } from './untied.ts';

/** How many readings must agree before something counts as wrong, and the pause between them. */
const READINGS = 3;
const APART_MS = 2_000;

/**
 * Checks all books of a family while it works. A change between two reads of one reading looks wrong in that
 * reading only; a real fault is in every one.
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
 * Reads all books once: what is moved first, then the documents. So what is moved meanwhile has its document.
 * Each checker takes the entries that its documents are tied to, and the sums that earlier ones came to.
 */
export async function readBooks(familyId: number): Promise<Findings> {
  const books = openBooks(familyId);
  const suppliers = await readOwners(books.home, SUPPLIER_BALANCES);
  const clients = await readOwners(books.home, CLIENT_SUMS);
  const goods = await readBalances(books);
  const money = await readDesks(books);
  const owed = await readDebts(books);
  const lastPaid = await checkDebtPayments(books, money, owed);
  const supplied = await readOperations(books);
  const entries = { ...goods, ...money, ...owed, ...supplied };
  const { bonuses, occasions } = await checkSales(books, entries);
  await checkHolds(books, goods);
  await checkCounts(books, goods);
  await checkReceipts(books, goods, supplied.operations);
  await checkWriteOffs(books, goods, supplied.operations);
  await checkStockTransfers(books, goods);
  await checkSuppliers(books, suppliers, entries);
  await checkShifts(books, money, occasions);
  await checkCollections(books, money);
  checkOperations(books, money);
  await checkClients(books, clients, { left: owed.left, lastPaid, bonuses });
  await checkTariff(books);
  reportUntied(books, entries);
  await checkLists(books);
  return books;
}

function nameOfViolation({ book, subject }: Violation): string {
  return `${book}: ${subject}`;
}
