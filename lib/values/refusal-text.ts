import type { Refusal } from './refusal.ts';
import { say } from './say.ts';
import type { Locale } from './text.ts';

/**
 * Says a refusal in a language: its text and code, of wrong fields also theirs. Part 1, "Errors"; Decisions,
 * 1, "Machine codes".
 */
export function sayRefusal(locale: Locale, { status, phrase, fields }: Refusal) {
  const told = { message: say(locale, phrase), code: phrase.key };
  if (status !== 422) return told;
  const wrong = Object.entries(fields);
  const errors = Object.fromEntries(wrong.map(([path, what]) => [path, [say(locale, what)]]));
  const codes = Object.fromEntries(wrong.map(([path, what]) => [path, [what.key]]));
  return { message: told.message, errors, codes, code: told.code };
}
