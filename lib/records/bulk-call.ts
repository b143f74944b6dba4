import * as z from 'zod';
import { requestContext } from '#lib/table/request-context.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { ErrorParams, FieldTexts, translateError, withCostsHidden } from '#lib/values/error-text.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';

/*
 * Calls with many entries, each validated and written separately: offline sales of a till, products of
 * another system.
 */

/** Time for the entries of a call; the rest of the function's time is for the response. Part 4, 4.4, 4. */
const ENTRIES_MS = 20_000;

/** Language of a bulk response, and the time limit of the work. */
export interface BulkCallOptions {
  readonly at: Instant;
  readonly locale: Locale;
  /** Returns true once no more entries may start; by default 20 seconds after the call began. */
  readonly isTimeUp?: () => boolean;
}

/** Error fields in an entry's result; null on success. */
export const entryErrorFields = {
  message: z.string().nullable(),
  code: z.string().nullable(),
  errors: FieldTexts,
  codes: FieldTexts,
  params: ErrorParams.nullable(),
};

const NO_REASON = { message: null, code: null, errors: null, codes: null, params: null };

/** Returns an entry's result, as a separate call would return it. */
export function entryResult(outcome: object, locale: Locale) {
  if (!(outcome instanceof ApiError)) return { ...NO_REASON, status: 200 };
  const shown = requestContext().hidesCosts ? withCostsHidden(outcome) : outcome;
  return { ...NO_REASON, ...translateError(locale, shown), status: outcome.status };
}

/** Processes entries one after the other. Those beyond the time limit are rejected, to be sent again. */
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
