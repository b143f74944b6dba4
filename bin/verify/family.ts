import { setTimeout as pause } from 'node:timers/promises';
import { familyHome } from '#lib/table/keys.ts';
import { type Audit, newAudit, type Violation } from './audit.ts';
import { checkClients, readClients } from './clients.ts';
import { checkCounts } from './counts.ts';
import { checkDebtPayments } from './debt-payments.ts';
import { checkDebts } from './debts.ts';
import { checkDesks } from './desks.ts';
import { checkGoods } from './goods.ts';
import { checkHolds } from './holds.ts';
import { checkLists } from './lists.ts';
import { checkOperations } from './operations.ts';
import { checkReceipts } from './receipts.ts';
import { checkSales } from './sales.ts';
import { checkShifts } from './shifts.ts';
import { checkStockTransfers } from './stock-transfers.ts';
import { checkSuppliers, readOperations, readSuppliers } from './suppliers.ts';
import { checkTariff } from './tariff.ts';
import { checkUnclaimed } from './unclaimed.ts';
import { checkWriteOffs } from './write-offs.ts';

/** The outcome of a check. */
export interface Outcome {
  readonly counts: ReadonlyMap<string, number>;
  readonly violations: readonly Violation[];
}

/** How many readings must agree before something counts as wrong, and the pause between them. */
const READINGS = 3;
const APART_MS = 2_000;

/**
 * Checks all books of a family while it works. A change between two reads of one reading looks wrong in that
 * reading only; a real fault is in every one.
 */
export async function checkFamily(familyId: number): Promise<Outcome> {
  let { counts, violations } = await readBooks(familyId);
  for (let reading = 1; reading < READINGS && violations.length > 0; reading++) {
    await pause(APART_MS);
    const before = new Set(violations.map(nameOf));
    const again = await readBooks(familyId);
    counts = again.counts;
    violations = again.violations.filter((violation) => before.has(nameOf(violation)));
  }
  return { counts, violations };
}

/**
 * Reads all books once: movements first, then their documents. So a movement that is made meanwhile has its
 * document.
 */
export async function readBooks(familyId: number): Promise<Audit> {
  const audit = newAudit(familyId, familyHome(familyId));
  const [suppliers, clients] = await Promise.all([readSuppliers(audit), readClients(audit)]);
  await checkGoods(audit);
  await checkDesks(audit);
  await checkDebts(audit);
  await checkDebtPayments(audit);
  await readOperations(audit);
  await checkSales(audit);
  await checkHolds(audit);
  await checkCounts(audit);
  await checkReceipts(audit);
  await checkWriteOffs(audit);
  await checkStockTransfers(audit);
  await checkSuppliers(audit, suppliers);
  await checkShifts(audit);
  await checkOperations(audit);
  await checkClients(audit, clients);
  await checkTariff(audit);
  checkUnclaimed(audit);
  await checkLists(audit);
  return audit;
}

function nameOf({ book, subject }: Violation): string {
  return `${book}: ${subject}`;
}
