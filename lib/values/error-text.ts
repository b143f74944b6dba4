import type { ApiError } from './api-error.ts';
import { translate } from './message.ts';
import type { Locale } from './text.ts';

/**
 * Says a refusal in a language: its text and code, of wrong fields also theirs. Part 1, "Errors"; Contract 1,
 * "Machine codes".
 */
export function translateError(locale: Locale, { status, phrase, fields }: ApiError) {
  const told = { message: translate(locale, phrase), code: phrase.key };
  if (status !== 422) return told;
  const wrong = Object.entries(fields);
  const errors = Object.fromEntries(wrong.map(([path, what]) => [path, [translate(locale, what)]]));
  const codes = Object.fromEntries(wrong.map(([path, what]) => [path, [what.key]]));
  return { message: told.message, errors, codes, code: told.code };
}
