import * as z from 'zod';
import { any, type Expression, present } from '#lib/table/expression.ts';
import type { SearchField } from '#lib/table/keys.ts';
import { attributesOf, rankOfRow } from '#lib/table/search/document.ts';
import { parseSearch, type Search } from '#lib/values/search-words.ts';
import type { Filter } from './filters.ts';

/*
 * `filter[search]`: each word is the beginning of a word of the record, in any order and script. Part 5,
 * 5B.1, 1.
 */

const MAX_LENGTH = 100;
const MAX_WORDS = 8;

/** Filters by the words of these fields. */
export function searchFilter(fields: readonly SearchField[]): Filter {
  return z
    .string()
    .max(MAX_LENGTH)
    .transform((text, context) => {
      const search = parseSearch(text);
      const count = search.words.length;
      if (count > 0 && count <= MAX_WORDS) return matching(fields, search);
      const message = count === 0 ? 'validation.required' : 'validation.too_many_items';
      context.addIssue({ code: 'custom', message, params: { max: MAX_WORDS } });
      return z.NEVER;
    });
}

/** Returns a condition on the words of these fields, for texts that need not be a search; else none. */
export function ifSearch(fields: readonly SearchField[], text: string): Expression[] {
  if (text.length > MAX_LENGTH) return [];
  const search = parseSearch(text);
  const { length } = search.words;
  // In a disjunction: its own ranks are no order of the whole.
  return length > 0 && length <= MAX_WORDS ? [any([matching(fields, search)])] : [];
}

function matching(search: readonly SearchField[], sought: Search): Expression {
  const fields = { search, indexes: [] };
  const everything = present('pk');
  return {
    ...everything,
    search: sought,
    paths: attributesOf(fields),
    matches: (item) => rankOfRow(fields, item, sought) !== undefined,
  };
}
