import * as z from 'zod';
import type { Expression } from '#lib/table/expression.ts';
import type { Source } from '#lib/table/keys.ts';
import type { Range } from '#lib/table/read/ranges.ts';
import { dayOf, startOfDay } from '#lib/values/time.ts';
import { packNumbers, unpackNumbers } from './ids.ts';

/*
 * The days on which a source's records were created. Ids are allocated in the order of time, except for the
 * duration of a call. So a day is one range of ids, or a few: a run begins at each id with another day than
 * the one before it. A period is then a few ranges of ids, for any number of records, and exact for any order
 * of arrival. Days of another instant are stored likewise, if it is usually close to the creation: an offline
 * sale, sold days before its upload, adds two runs.
 */

/** The instant of every record by which lists can be filtered by day. */
export const CREATED_AT = 'created_at';

const DAY_MS = 86_400_000;

/**
 * Five bytes each: 350 KB of an item's limit of 400 KB, or 35 000 sales with a different day than their
 * neighbours. More occur only if dates are unrelated to ids: then days are not stored, and lists of a period
 * read the records.
 */
export const MAX_RUNS = 70_000;

/** A run of ids created on one day: from `first` up to the next run's. Days since 1970-01-01; 0 is none. */
export interface DayRun {
  readonly first: number;
  readonly day: number;
}

/** The days of a source's ids, as one item; `runs` is omitted if they are too disordered. */
export const Days = z.object({
  version: z.int(),
  runs: z
    .codec(z.instanceof(Uint8Array), z.custom<readonly DayRun[]>(), { decode: unpackRuns, encode: packRuns })
    .optional(),
});

export type Days = Readonly<z.output<typeof Days>>;

/** Empty days. */
export const NO_DAYS: Days = { version: 0, runs: [] };

/** Returns the number of an instant's day. */
export function dayNumber(at: unknown): number {
  return typeof at === 'number' && Number.isFinite(at) ? Date.parse(dayOf(at)) / DAY_MS : 0;
}

/** A requested range of days of an instant, both inclusive. */
export interface DayRange {
  readonly field: string;
  readonly range: Range;
}

/**
 * Returns the range of days that an expression filters by; undefined if it is no range of whole days of one
 * of these instants.
 */
export function dayRangeOf(
  { paths: [field = ''], span }: Expression,
  instants: readonly string[],
): DayRange | undefined {
  if (!span || !instants.includes(field)) return undefined;
  const from = span.from <= 0 ? 1 : startOf(span.from);
  const below = span.below >= Number.MAX_SAFE_INTEGER ? Number.MAX_SAFE_INTEGER : startOf(span.below);
  return from === undefined || below === undefined ? undefined : { field, range: { from, to: below - 1 } };
}

/** Returns the instants of a source whose days are stored. */
export function instantsOf({ days = [] }: Pick<Source, 'days'>): string[] {
  return [CREATED_AT, ...days];
}

/**
 * Adds the days of more ids, in ascending order, to runs. `upto` is the last id that the runs cover.
 * Undefined if the runs become too many.
 */
export function addDays(
  runs: readonly DayRun[],
  upto: number,
  ids: readonly { readonly id: number; readonly day: number }[],
): DayRun[] | undefined {
  let after = [...runs];
  for (const { id, day } of ids) {
    if (id > upto) after.push({ first: id, day });
    else after = withDayInside(after, id, day);
  }
  const changing = after.filter((run, index) => run.day !== after[index - 1]?.day);
  return changing.length > MAX_RUNS ? undefined : changing;
}

/** Returns the ids up to one that were created in a range of days. */
export function idsInDayRange(runs: readonly DayRun[], { from, to }: Range, upto: number): Range[] {
  const ranges: Range[] = [];
  for (const [index, { first, day }] of runs.entries()) {
    if (day < from || to < day) continue;
    const range = { from: first, to: (runs[index + 1]?.first ?? upto + 1) - 1 };
    const before = ranges.at(-1);
    if (before?.to === range.from - 1) ranges[ranges.length - 1] = { from: before.from, to: range.to };
    else ranges.push(range);
  }
  return ranges
    .map((range) => ({ from: range.from, to: Math.min(range.to, upto) }))
    .filter((range) => range.from <= range.to);
}

function withDayInside(runs: readonly DayRun[], id: number, day: number): DayRun[] {
  const before = runs.filter(({ first }) => first <= id);
  const after = runs.slice(before.length);
  const own = before.at(-1)?.day ?? 0;
  if (own === day) return [...runs];
  const earlier = before.filter(({ first }) => first < id);
  const rest = after[0]?.first === id + 1 ? [] : [{ first: id + 1, day: own }];
  return [...earlier, { first: id, day }, ...rest, ...after];
}

function startOf(at: number): number | undefined {
  return startOfDay(dayOf(at)) === at ? dayNumber(at) : undefined;
}

function packRuns(runs: readonly DayRun[]): Uint8Array<ArrayBuffer> {
  return packNumbers(runs.flatMap(({ first, day }, index) => [first - (runs[index - 1]?.first ?? 0), day]));
}

function unpackRuns(packed: Uint8Array): DayRun[] {
  const numbers = unpackNumbers(packed);
  const runs: DayRun[] = [];
  for (let at = 0; at < numbers.length; at += 2) {
    runs.push({ first: (runs.at(-1)?.first ?? 0) + (numbers[at] ?? 0), day: numbers[at + 1] ?? 0 });
  }
  return runs;
}
