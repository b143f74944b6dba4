import * as z from 'zod';
import { contains, type Expression, equals, oneOf } from '#lib/table/expression.ts';
import { exact, type Filter, SearchText } from './filters.ts';

/*
 * Phone numbers are stored as `998xxyyyzzzz`, and searched as people write them: only digits count. Contract
 * 9.124.
 */

/** Filters by a whole number. */
export function phone(field: string): Filter {
  return exact(field, z.string().overwrite(digitsOf));
}

/** Filters by a part of a number. */
export function phonePart(field: string): Filter {
  return SearchText.transform((text) => hasDigits(field, text));
}

/** Holds if the number contains these digits; never if the text has none. */
function hasDigits(field: string, text: string): Expression {
  const digits = digitsOf(text);
  return digits === '' ? oneOf(field, []) : contains(field, digits);
}

/** Returns a condition on a whole number, if a text is one rather than a name; else none. */
export function ifPhone(field: string, text: string): Expression[] {
  return isPhone(text) ? [equals(field, digitsOf(text))] : [];
}

function isPhone(text: string): boolean {
  return digitsOf(text) !== '' && !/\p{L}/u.test(text);
}

const COUNTRY = '998';

/** Digits of a number without the country code. */
const WITHOUT_COUNTRY = 9;

function digitsOf(text: string): string {
  const digits = text.normalize('NFKC').replace(/\D/g, '');
  return digits.length === WITHOUT_COUNTRY ? `${COUNTRY}${digits}` : digits;
}
