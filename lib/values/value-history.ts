import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Instant } from './time.ts';

/*
 * What a value was before, for who asks what it was at one moment of the last days: a price, a rate.
 *
 * Former values stand with what they were of, the latest first, each with the moment at which it ceased. It
 * began when the one before it ceased, so from when until when each held is known by one moment apiece. A
 * value has parts, and each may be put right by itself: what a correction replaces never was.
 */

/** Former values, the latest first, each with the moment at which it ceased. */
type Former<T> = readonly (readonly [value: T, until: Instant])[];

/** A value, with from when until when it held. */
export interface Span<T> {
  readonly value: T;
  readonly from: Instant;
  readonly until: Instant;
}

/** A sale without a network comes up to 31 days later, and looks back a day more. Part 4, 4.4. */
export const KEPT_MS = 32 * 24 * 60 * 60 * 1000;

/** Values that are kept of one thing: some ten kilobytes of prices. Part 4, 4.4, 3. */
const MAX_VALUES = 200;

/** Moments are judged to the second: what changed within one was both in it. Contract 9.95. */
const SECOND_MS = 1000;

/** A field of inputs that may say so: what is replaced never was. Part 4, 4.4, 3. */
export const correctionInput = { is_correction: z.boolean().default(false) };

const Corrected = z.object({ corrections: z.int() });

/** Marks a change of a record as a correction: what it replaces never was. Part 4, 4.4, 3. */
export function asCorrection<T extends object>(record: T, isCorrection = false): T {
  return isCorrection ? { ...record, corrections: correctionsOf(record) + 1 } : record;
}

function correctionsOf(record: object): number {
  return Corrected.safeParse(record).data?.corrections ?? 0;
}

/** Declares which parts of a record are kept when they change, as its item holds them. */
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
   * Keeps what a record was before a change, for its item. What ceased more than 32 days before is forgotten,
   * and of more than 200 values the oldest.
   */
  keep(before: R | undefined, after: R & { readonly updated_at: Instant }): object {
    if (!before) return {};
    const [was, is] = [this.#read(before), this.#read(after)];
    if (isDeepStrictEqual(was, is)) return {};
    const former = this.#former(before);
    if (correctionsOf(after) > correctionsOf(before)) return { former: this.#correct(former, was, is) };
    const at = Math.max(after.updated_at, former[0]?.[1] ?? 0);
    const kept = former.filter(([, until]) => until >= at - KEPT_MS);
    return { former: [[was, at], ...kept].slice(0, MAX_VALUES) };
  }

  /**
   * Lists what a record has been since it was made, the present first. Before the first that is kept it was
   * what that says.
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

  /** Puts the parts that change in place of those they replace, back to when each of these began. */
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

/** Gives the second that an instant is in. */
export function secondOf(at: Instant): Instant {
  return Math.floor(at / SECOND_MS) * SECOND_MS;
}

/** Lists what held in a second, the latest first. */
export function spansIn<T>(spans: readonly Span<T>[], second: Instant): Span<T>[] {
  return spans.filter(({ from, until }) => from < second + SECOND_MS && until >= second);
}

/** Makes spans of the same times with other values. */
export function mapSpans<T, U>(spans: readonly Span<T>[], change: (value: T) => U): Span<U>[] {
  return spans.map((span) => ({ ...span, value: change(span.value) }));
}
