import * as z from 'zod';
import { ApiError } from '#lib/values/api-error.ts';
import { translateError } from '#lib/values/error-text.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';

/*
 * Calls with many entries, each judged and written for itself: sales of a till, products of another system.
 */

/** Time for the entries of a call; the rest of a function's is for the answer. Part 4, 4.4, 4. */
const ENTRIES_MS = 20_000;

/** How a call of many entries is answered, and how long it may work. */
export interface BulkCallOptions {
  readonly at: Instant;
  readonly locale: Locale;
  /** Tells whether an entry is not to be begun any more; 20 seconds after the call began, unless given. */
  readonly isTimeUp?: () => boolean;
}

const Texts = z.record(z.string(), z.array(z.string())).nullable();

/** Fields of an entry's answer that say why it was refused; null if it was not. */
export const entryErrorFields = {
  message: z.string().nullable(),
  code: z.string().nullable(),
  errors: Texts,
  codes: Texts,
};

const NO_REASON = { message: null, code: null, errors: null, codes: null };

/** Tells how an entry ended, as a call of its own would. */
export function entryResult(outcome: object, locale: Locale) {
  if (!(outcome instanceof ApiError)) return { ...NO_REASON, status: 200 };
  return { ...NO_REASON, ...translateError(locale, outcome), status: outcome.status };
}

/** Tries entries one after the other. What the time does not reach is refused, to be sent again. */
export async function processEntries<E, T>(
  entries: readonly E[],
  { isTimeUp = timer() }: Pick<BulkCallOptions, 'isTimeUp'>,
  tryOne: (entry: E) => Promise<T>,
  notReached: () => ApiError,
): Promise<(T | ApiError)[]> {
  const outcomes: (T | ApiError)[] = [];
  for (const entry of entries) outcomes.push(isTimeUp() ? notReached() : await tryOne(entry));
  return outcomes;
}

function timer(): () => boolean {
  const until = performance.now() + ENTRIES_MS;
  return () => performance.now() > until;
}
