import * as z from 'zod';
import { ERROR_CODES, EVENTS, NOUNS } from '#lib/values/enumeration.ts';
import { errorCodes, isErrorCode, translate } from '#lib/values/message.ts';
import type { Locale } from '#lib/values/text.ts';
import lists from './enumerations.json' with { type: 'json' };
import { enumerationLabel } from './label.ts';

/** All enumerations of the API with their labels, by the name of their list. Part 5, 5B.3. */
export const Enumerations = z.object({
  data: z.record(z.string(), z.array(z.object({ value: z.string(), label: z.string() }))),
});

const LISTS: Readonly<Record<string, readonly string[]>> = lists;

/**
 * Returns all enumerations in a language. `npm run fix` lists their values from the reference, since one
 * function does not import all schemas.
 */
export function enumerations(locale: Locale): z.output<typeof Enumerations> {
  const data = Object.entries({ ...LISTS, [ERROR_CODES]: errorCodes() }).map(([list, values]) => [
    list,
    values.map((value) => ({ value, label: labelIn(locale, list, value) })),
  ]);
  return { data: Object.fromEntries(data) };
}

function labelIn(locale: Locale, list: string, value: string): string {
  if (list === ERROR_CODES) return isErrorCode(value) ? translate(locale, { key: value }) : value;
  if (list !== EVENTS) return enumerationLabel(locale, list, value);
  const verb = value.lastIndexOf('.');
  const noun = enumerationLabel(locale, NOUNS, value.slice(0, verb));
  return `${noun}: ${enumerationLabel(locale, EVENTS, value.slice(verb + 1))}`;
}
