import { setTimeout as pause } from 'node:timers/promises';
import { CLIENT_SUMS } from '#lib/clients/client-sums.ts';
import { SUPPLIER_BALANCES } from '#lib/stock/supplier.ts';
import { checkSales } from './cheques/sales.ts';
import { type Findings, openBooks, type Violation } from './frame/books.ts';
import { readOwners } from './frame/owners.ts';
import { checkCounts } from './goods/counts.ts';
import { readBalances } from './goods/goods.ts';
import { checkHolds } from './goods/holds.ts';
import { checkStockDocuments } from './goods/stock-documents.ts';
import { checkLists } from './lists.ts';
import { checkClients } from './money/clients.ts';
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
 * Each checker ties its documents to the entries of the books, and takes the sums that earlier ones came to.
 */
export async function readBooks(familyId: number): Promise<Findings> {
  const books = openBooks(familyId);
  const suppliers = await readOwners(books.home, SUPPLIER_BALANCES);
  const clients = await readOwners(books.home, CLIENT_SUMS);
  await readBalances(books);
  await readDesks(books);
  const debts = await readDebts(books);
  const owed = await readOperations(books);
  const { bonuses, occasions } = await checkSales(books);
  await checkHolds(books);
  await checkCounts(books);
  await checkStockDocuments(books);
  await checkSuppliers(books, suppliers, owed);
  await checkShifts(books, occasions);
  await checkOperations(books);
  await checkClients(books, clients, { ...debts, bonuses });
  await checkTariff(books);
  reportUntied(books);
  await checkLists(books);
  return books;
}

function nameOfViolation({ book, subject }: Violation): string {
  return `${book}: ${subject}`;
}
