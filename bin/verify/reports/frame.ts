import type { Staff } from '#lib/auth/actor.ts';
import { partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { type Day, dayOf, daysAfter } from '#lib/values/time.ts';
import type { Books } from '../frame/books.ts';
import { faultUnless } from '../frame/ledger.ts';
import { readerOf } from '../frame/reader.ts';

/*
 * A report is compared with its documents. It is read before they are summed, and again afterwards if it
 * differs, as documents created in between may be in either.
 */

/** Days of a report, both ends included. */
export interface ReportDays {
  readonly from: Day;
  readonly to: Day;
}

/** Sums by row name and figure name. A missing one is zero. */
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

/** Returns whether a sum of documents is plausible, given the report's values before and after. */
type Rule = (before: bigint, sum: bigint, after: bigint) => boolean;

/** A sum that only grows lies in between. */
export const GROWING_SUMS: Rule = (before, sum, after) => before <= sum && sum <= after;

/** A sum that goes up and down can be checked only while it is unchanged. */
export const POINT_IN_TIME_SUMS: Rule = (before, sum, after) => before !== after || sum === after;

/** A report to check. */
export interface CheckedReport {
  /** `sales report`. */
  readonly book: string;
  /** `documents`: the source of the sums. */
  readonly of: string;
  readonly rule: Rule;
  /** Reads the report of some days as a director. */
  readonly read: (actor: Staff, days: ReportDays) => Promise<ReportSums>;
}

/**
 * Reads a report of days up to tomorrow, before its documents are summed. Returns a function that checks it
 * by their sums and by the days of their creation.
 */
export async function askReport(books: Books, report: CheckedReport, first = dayOf(Date.now())) {
  const { book, of, rule } = report;
  const before = await readOnce(books, report, [first]);
  return async (sums: ReportSums, days: Iterable<Day> = []): Promise<void> => {
    const after = before?.equals(sums) ? before : await readOnce(books, report, [first, ...days]);
    if (!before || !after) return books.count(`${book}s that are being built`);
    for (const row of new Set([...sums.keys(), ...before.keys(), ...after.keys()])) {
      books.count(`rows of the ${book}`);
      const compared = [sums, before, after].map((each) => each.get(row) ?? new Map<string, bigint>());
      const figures = new Set(compared.flatMap((each) => [...each.keys()]));
      const faults = [...figures].flatMap((figure) => {
        const [sum, reported] = [sums.of(row, figure), after.of(row, figure)];
        const isRight = rule(before.of(row, figure), sum, reported);
        return faultUnless(isRight, `says ${reported} of ${figure}, ${of} come to ${sum}`);
      });
      books.report({ book, subject: row, keys: [], further: compared.map(Object.fromEntries) }, faults);
    }
  };
}

/** Reads a report of all these days; undefined while its rollups are being built from too many documents. */
async function readOnce(
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

/** Returns the span of days and tomorrow, as clocks differ. */
export function spanOf(days: readonly Day[]): ReportDays {
  const tomorrow = daysAfter(dayOf(Date.now()), 1);
  const all = [...days, tomorrow].toSorted();
  return { from: all.at(0) ?? tomorrow, to: all.at(-1) ?? tomorrow };
}

/** Returns the day of the first document of a type; today without one. */
export async function readFirstDay({ tenant }: Books, type: string): Promise<Day> {
  for await (const [first] of walk(partition(type, tenant), 1)) {
    const made = first?.['created_at'];
    // A document in progress has no time yet.
    if (typeof made === 'number') return dayOf(made);
  }
  return dayOf(Date.now());
}
