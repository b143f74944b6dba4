import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Instant } from './time.ts';

/*
 * Former values of a price or rate, for readers that need the value at a moment of the last days.
 *
 * Former values are stored with the record, the latest first, each with the moment at which it ended. It
 * began when the one before it ended, so one moment per value defines all periods. A value has parts, and
 * each may be corrected separately: a correction also replaces the former values of the part.
 */

/** Former values, the latest first, each with its end. */
type Former<T> = readonly (readonly [value: T, until: Instant])[];

/** A value with its period. */
export interface Span<T> {
  readonly value: T;
  readonly from: Instant;
  readonly until: Instant;
}

/** An offline sale is uploaded up to 31 days later, and looks back a day more. Part 4, 4.4. */
export const KEPT_MS = 32 * 24 * 60 * 60 * 1000;

/** Limit of stored values per record: some ten kilobytes of prices. Part 4, 4.4, 3. */
const MAX_VALUES = 200;

/** Precision of moments: two values in the same second both applied in it. Contract 9.95. */
const SECOND_MS = 1000;

/** Input field that marks a correction: it also replaces the former value. Part 4, 4.4, 3. */
export const correctionInput = { is_correction: z.boolean().default(false) };

const Corrected = z.object({ corrections: z.int() });

/** Marks a change of a record as a correction, which also replaces the former value. Part 4, 4.4, 3. */
export function asCorrection<T extends object>(record: T, isCorrection = false): T {
  return isCorrection ? { ...record, corrections: correctionsOf(record) + 1 } : record;
}

function correctionsOf(record: object): number {
  return Corrected.safeParse(record).data?.corrections ?? 0;
}

/** The history of some parts of a record, stored in its item. */
export class History<R extends object, S extends z.ZodTuple> {
  readonly #item: z.ZodType<{ former: [z.output<S>, Instant][] }>;
  readonly #value: S;
  readonly #read: (record: R) => z.output<S>;

  constructor(value: S, read: (record: R) => z.output<S>) {
    this.#value = value;
    this.#item = z.object({ former: z.array(z.tuple([value, z.int()])) });
    this.#read = read;
  }

  /**
   * Returns the history for the item of a changed record. Drops values that ended more than 32 days before,
   * and beyond 200 values the oldest.
   */
  keep(before: R | undefined, after: R & { readonly updated_at: Instant }): object {
    if (!before) return {};
    const [was, is] = [this.#read(before), this.#read(after)];
    if (isDeepStrictEqual(was, is)) return {};
    const former = this.#former(before);
    if (correctionsOf(after) > correctionsOf(before)) return { former: this.#correct(former, was, is) };
    const at = Math.max(after.updated_at, former[0]?.[1] ?? 0);
    const recent = former.filter(([, until]) => until >= at - KEPT_MS);
    return { former: [[was, at], ...recent].slice(0, MAX_VALUES) };
  }

  /**
   * Returns the values of a record since its creation, the present first. The oldest stored value extends
   * back to the creation.
   */
  spans(record: R, made: Instant = Number.NEGATIVE_INFINITY): Span<z.output<S>>[] {
    const present = [this.#read(record), Number.POSITIVE_INFINITY] as const;
    const former = this.#former(record);
    return [present, ...former].map(([value, until], index) => {
      return { value, until, from: former[index]?.[1] ?? made };
    });
  }

  #former(record: R): Former<z.output<S>> {
    return this.#item.safeParse(record).data?.former ?? [];
  }

  /** Replaces the corrected parts in former values, back to the start of the corrected value. */
  #correct(former: Former<z.output<S>>, was: z.output<S>, is: z.output<S>): Former<z.output<S>> {
    const begun = was.map((part, index) =>
      isDeepStrictEqual(part, is[index])
        ? 0
        : [...former, undefined].findIndex((each) => !isDeepStrictEqual(each?.[0][index], part)),
    );
    return former.map(([value, until], age) => {
      const parts = value.map((part, index) => (age < (begun[index] ?? 0) ? is[index] : part));
      return [this.#value.parse(parts), until];
    });
  }
}

/** Returns the second of an instant. */
export function secondOf(at: Instant): Instant {
  return Math.floor(at / SECOND_MS) * SECOND_MS;
}

/** Returns the values that applied in a second, the latest first. */
export function spansIn<T>(spans: readonly Span<T>[], second: Instant): Span<T>[] {
  return spans.filter(({ from, until }) => from < second + SECOND_MS && until >= second);
}

/** Returns spans of the same periods with other values. */
export function mapSpans<T, U>(spans: readonly Span<T>[], change: (value: T) => U): Span<U>[] {
  return spans.map((span) => ({ ...span, value: change(span.value) }));
}
