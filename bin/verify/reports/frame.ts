import type { Staff } from '#lib/auth/actor.ts';
import { partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { type Day, dayOf, daysAfter } from '#lib/values/time.ts';
import type { Books } from '../frame/books.ts';
import { faultUnless } from '../frame/ledger.ts';
import { readerOf } from '../frame/reader.ts';

/*
 * A report is held against the documents that it is of. It is asked before they are added up, and after that
 * if it said something else, as what is made meanwhile may be in either.
 */

/** The days of a report, both ends included. */
export interface ReportDays {
  readonly from: Day;
  readonly to: Day;
}

/** Sums by the name of a row, and by that of a figure. One that is not there is zero. */
export class ReportSums extends Map<string, Map<string, bigint>> {
  add(row: string, figure: string, change: number | bigint): void {
    const figures = this.get(row) ?? new Map<string, bigint>();
    this.set(row, figures.set(figure, this.of(row, figure) + BigInt(change)));
  }

  of(row: string, figure: string): bigint {
    return this.get(row)?.get(figure) ?? 0n;
  }

  equals(other: ReportSums): boolean {
    return this.#isIn(other) && other.#isIn(this);
  }

  #isIn(other: ReportSums): boolean {
    return [...this].every(([row, figures]) =>
      [...figures].every(([figure, sum]) => other.of(row, figure) === sum),
    );
  }
}

/** Tells whether a sum of documents may be right, by what a report said before them and after. */
type Rule = (before: bigint, sum: bigint, after: bigint) => boolean;

/** What only grows was between. */
export const GROWING_SUMS: Rule = (before, sum, after) => before <= sum && sum <= after;

/** What goes up and down can be judged while it stands still. */
export const POINT_IN_TIME_SUMS: Rule = (before, sum, after) => before !== after || sum === after;

/** A report that is checked. */
export interface CheckedReport {
  /** `sales report`. */
  readonly book: string;
  /** `documents`: what is added up. */
  readonly of: string;
  readonly rule: Rule;
  /** Reads what the report says of some days, to a director. */
  readonly read: (actor: Staff, days: ReportDays) => Promise<ReportSums>;
}

/**
 * Asks a report, of days up to tomorrow, before its documents are added up. Answers with what checks it by
 * their sums, and by the days on which they were made.
 */
export async function askReport(books: Books, report: CheckedReport, first = dayOf(Date.now())) {
  const { book, of, rule } = report;
  const before = await askOnce(books, report, [first]);
  return async (sums: ReportSums, days: Iterable<Day> = []): Promise<void> => {
    const after = before?.equals(sums) ? before : await askOnce(books, report, [first, ...days]);
    if (!before || !after) return books.count(`${book}s that are being built`);
    for (const row of new Set([...sums.keys(), ...before.keys(), ...after.keys()])) {
      books.count(`rows of the ${book}`);
      const told = [sums, before, after].map((each) => each.get(row) ?? new Map<string, bigint>());
      const figures = new Set(told.flatMap((each) => [...each.keys()]));
      const faults = [...figures].flatMap((figure) => {
        const [sum, says] = [sums.of(row, figure), after.of(row, figure)];
        const isRight = rule(before.of(row, figure), sum, says);
        return faultUnless(isRight, `says ${says} of ${figure}, ${of} come to ${sum}`);
      });
      books.report({ book, subject: row, keys: [], further: told.map(Object.fromEntries) }, faults);
    }
  };
}

/** Reads what a report says of all these days; undefined while its sums are built of too many documents. */
async function askOnce(
  { familyId }: Books,
  { read }: CheckedReport,
  days: readonly Day[],
): Promise<ReportSums | undefined> {
  try {
    return await read(readerOf(familyId), spanOf(days));
  } catch (error) {
    if (error instanceof ApiError && error.status === 503) return undefined;
    throw error;
  }
}

/** Spans days and tomorrow, as clocks differ. */
export function spanOf(days: readonly Day[]): ReportDays {
  const tomorrow = daysAfter(dayOf(Date.now()), 1);
  const all = [...days, tomorrow].toSorted();
  return { from: all.at(0) ?? tomorrow, to: all.at(-1) ?? tomorrow };
}

/** Finds the day of the first document of a type; today if there is none. */
export async function readFirstDay({ tenant }: Books, type: string): Promise<Day> {
  for await (const [first] of walk(partition(type, tenant), 1)) {
    const made = first?.['created_at'];
    // One under way has no time yet.
    if (typeof made === 'number') return dayOf(made);
  }
  return dayOf(Date.now());
}
