import * as z from 'zod';
import { contains, type Expression, equals, oneOf } from '#lib/table/expression.ts';
import { exact, type Filter, SearchText } from './filters.ts';

/*
 * Telephones are stored as `998xxyyyzzzz`, and looked for as people write them: only digits count. Contract
 * 9.124.
 */

/** Selects by a whole number. */
export function phone(field: string): Filter {
  return exact(field, z.string().overwrite(digitsOf));
}

/** Selects by a part of a number. */
export function phonePart(field: string): Filter {
  return SearchText.transform((text) => hasDigits(field, text));
}

/** Holds if the number has these digits in a row: never, if there are none. */
function hasDigits(field: string, text: string): Expression {
  const digits = digitsOf(text);
  return digits === '' ? oneOf(field, []) : contains(field, digits);
}

/** Gives what looks for a part of a number, if a text that may be a name is one; else nothing. */
export function ifPhonePart(field: string, text: string): Expression[] {
  return isPhone(text) ? [hasDigits(field, text)] : [];
}

/** Gives what looks for a whole number, if a text that may be a name is one; else nothing. */
export function ifPhone(field: string, text: string): Expression[] {
  return isPhone(text) ? [equals(field, digitsOf(text))] : [];
}

function isPhone(text: string): boolean {
  return digitsOf(text) !== '' && !/\p{L}/u.test(text);
}

const COUNTRY = '998';

/** Digits of a number without the country's code. */
const WITHOUT_COUNTRY = 9;

function digitsOf(text: string): string {
  const digits = text.normalize('NFKC').replace(/\D/g, '');
  return digits.length === WITHOUT_COUNTRY ? `${COUNTRY}${digits}` : digits;
}
