import { deskPostings, POSTING, type StoredPosting } from '#lib/cash/posting/record.ts';
import { cashReport } from '#lib/reports/cash/cash.ts';
import { nameOf, oppositeOf } from '#lib/values/money.ts';
import { type Day, dayOf, daysAfter, type Instant, monthsAfter, monthsOf } from '#lib/values/time.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { addExpense, EXPENSES_REPORT } from './expenses.ts';
import {
  askReport,
  type CheckedReport,
  GROWING_SUMS,
  POINT_IN_TIME_SUMS,
  type ReportDays,
  ReportSums,
  readFirstDay,
  spanOf,
} from './frame.ts';

const OF_POSTINGS = { book: 'cash report', of: 'postings' } as const;

/** Income and outcome, by desk and by day. */
const MOVES: CheckedReport = {
  ...OF_POSTINGS,
  rule: GROWING_SUMS,
  read: async (actor, date) => {
    const reported = new ReportSums();
    for (const group of ['cashbox', 'day'] as const) {
      const { data } = await cashReport(actor, { group, filter: { date } });
      for (const row of data) {
        reported.add(`${row.key} ${nameOf(row)}`, 'income', row.income);
        reported.add(`${row.key} ${nameOf(row)}`, 'outcome', row.outcome);
      }
    }
    return reported;
  },
};

/**
 * Opening balance of each desk in each month, and in the next one: nothing at first, then the closing balance
 * before.
 */
const OPENINGS: CheckedReport = {
  ...OF_POSTINGS,
  rule: POINT_IN_TIME_SUMS,
  read: async (actor, days) => {
    const reported = new ReportSums();
    for (const month of monthsOpened(days)) {
      const date = { from: `${month}-01`, to: `${month}-01` };
      const { data } = await cashReport(actor, { group: 'cashbox', filter: { date } });
      for (const row of data) reported.add(`${row.key} ${nameOf(row)}`, `opening of ${month}`, row.opening);
    }
    return reported;
  },
};

function monthsOpened({ from, to }: ReportDays): string[] {
  return monthsOf(from, monthsAfter(to, 1));
}

/** Checks the reports of cash and of expenses against postings, by which the desks' money is checked too. */
export async function checkCashReport(books: Books): Promise<void> {
  const first = daysAfter(await readFirstDay(books, POSTING), -1);
  const checkMoves = await askReport(books, MOVES, first);
  const checkOpenings = await askReport(books, OPENINGS, first);
  const checkExpenses = await askReport(books, EXPENSES_REPORT, first);
  const { moves, changes, expenses, days } = await addUpPostings(books);
  await checkMoves(moves, days);
  await checkExpenses(expenses, days);
  await checkOpenings(openingsOf(changes, monthsOpened(spanOf([first, ...days]))), days);
}

async function addUpPostings({ tenant }: Books) {
  const [moves, changes, expenses] = [new ReportSums(), new ReportSums(), new ReportSums()];
  const days = new Set<Day>();
  const add = (posting: StoredPosting, type: StoredPosting['type'], at: Instant) => {
    const { cashbox_id, amount } = posting;
    const [day, kind] = [dayOf(at), nameOf(posting)];
    days.add(day);
    addExpense(expenses, posting, type, at);
    moves.add(`${cashbox_id} ${kind}`, type, amount);
    moves.add(`${day} ${kind}`, type, amount);
    changes.add(`${cashbox_id} ${kind}`, day.slice(0, 7), type === 'income' ? amount : -amount);
  };
  for await (const posting of everyOf(tenant, deskPostings)) {
    add(posting, posting.type, posting.created_at);
    if (posting.status === 'canceled') add(posting, oppositeOf(posting), posting.updated_at);
  }
  return { moves, changes, expenses, days };
}

/** Sums the changes before each month. */
function openingsOf(changes: ReportSums, months: readonly string[]): ReportSums {
  const openings = new ReportSums();
  for (const [desk, byMonth] of changes) {
    for (const month of months) {
      for (const [each, change] of byMonth)
        if (each < month) openings.add(desk, `opening of ${month}`, change);
    }
  }
  return openings;
}
