import type { ApiError } from './api-error.ts';
import { translate } from './message.ts';
import type { Locale } from './text.ts';

/**
 * Translates an API error: message and code, for invalid fields also theirs. Part 1, "Errors"; Contract 1,
 * "Machine codes".
 */
export function translateError(locale: Locale, { status, phrase, fields }: ApiError) {
  const body = { message: translate(locale, phrase), code: phrase.key };
  if (status !== 422) return body;
  const wrong = Object.entries(fields);
  const errors = Object.fromEntries(wrong.map(([path, error]) => [path, [translate(locale, error)]]));
  const codes = Object.fromEntries(wrong.map(([path, error]) => [path, [error.key]]));
  return { message: body.message, errors, codes, code: body.code };
}
