import type { Item } from '#lib/table/client.ts';
import type { SearchField } from '#lib/table/keys.ts';
import { textOf } from '#lib/table/list-index/value.ts';
import {
  type NameWord,
  type Search,
  type SoughtWord,
  wordOfCode,
  wordsOfName,
  wordsOfPhone,
} from '#lib/values/search-words.ts';

/*
 * The searched words of a record. A word is a text and a kind; what filters compare is a word, too, so that a
 * search with filters needs no other index.
 */

/** Fields of a source: searched ones, and those that its filters compare. */
export interface SearchFields {
  readonly search: readonly SearchField[];
  readonly indexes: readonly string[];
}

/** A word of a record. */
export interface Word {
  readonly text: string;
  /** `CODE`, `OTHER`, or the place of a word of a name. */
  readonly kind: number;
}

/** A code, phone or external id. */
const CODE = 0;

/** A filtered value, or the marker of all records. */
const OTHER = 1;

/** Places of words in names from `FIRST_PLACE` on: three for each position, one for each order. */
const FIRST_PLACE = 2;
const ORDERS = ['both', 'whole', 'part'] as const;

/** No search has as many words: positions from here on are one. */
const LAST_POSITION = 8;

/** The word of every record. */
export const EVERY: Word = { text: '\u0000', kind: OTHER };

/** Returns the attributes that the words of a record depend on. */
export function attributesOf({ search, indexes }: SearchFields): string[] {
  return [...new Set([...search.map(({ field }) => field), ...indexes])];
}

/** Returns the words of a record. */
export function wordsOf({ search, indexes }: SearchFields, row: Item): Word[] {
  const searched = search.flatMap(({ field, of, as }) =>
    valuesAt(row[field], of).flatMap((value) => wordsOfValue(as, value)),
  );
  const filtered = indexes.flatMap((field) => {
    const text = textOf(row[field]);
    return text === null ? [] : [filterWord(field, text)];
  });
  const byKey = new Map([...searched, ...filtered, EVERY].map((word) => [keyOfWord(word), word]));
  return [...byKey.values()];
}

/** Returns a word as one text, which sorts by the word and then by its kind. */
export function keyOfWord({ text, kind }: Word): string {
  return `${text}\n${String.fromCharCode(kind)}`;
}

/** Returns the word of a filtered value. */
export function filterWord(field: string, text: string): Word {
  return { text: `\u0002${field}\u0000${text}`, kind: OTHER };
}

function externalWord(id: string): Word {
  return { text: `\u0001${id}`, kind: CODE };
}

function valuesAt(value: unknown, of: string | undefined): string[] {
  const values = Array.isArray(value) ? value : [value];
  return values.flatMap((each: unknown) => {
    const text = of === undefined ? each : memberOf(each, of);
    return typeof text === 'string' && text !== '' ? [text] : [];
  });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).find(([key]) => key === name)?.[1]
    : undefined;
}

function wordsOfValue(as: SearchField['as'], value: string): Word[] {
  if (as === 'external') return [externalWord(value)];
  if (as === 'code') return wordOfCode(value).map((text) => ({ text, kind: CODE }));
  if (as === 'phone') return wordsOfPhone(value).map((text) => ({ text, kind: CODE }));
  return wordsOfName(value).flatMap((word) => word.readings.map((text) => ({ text, kind: kindOf(word) })));
}

function kindOf({ position, order }: NameWord): number {
  return FIRST_PLACE + Math.min(position, LAST_POSITION) * ORDERS.length + ORDERS.indexOf(order);
}

/** Range of words: those that begin with a text, or one that equals it. */
export interface WordRange {
  readonly text: string;
  readonly isWhole: boolean;
}

/** Returns the ranges of words by which a word of a search is found. */
export function rangesOf({ readings, spellings }: SoughtWord): WordRange[] {
  return [
    ...readings.map((text) => ({ text, isWhole: false })),
    ...spellings.map((text) => ({ text, isWhole: true })),
  ];
}

/** Returns the range of a whole external id. */
export function externalRange({ whole }: Search): WordRange {
  return { text: externalWord(whole).text, isWhole: true };
}

/** Returns true if a word is in a range. */
export function isWithin({ text, isWhole }: WordRange, word: Pick<Word, 'text'>): boolean {
  return isWhole ? word.text === text : word.text.startsWith(text);
}

/** Marks of a record for one word of a search. Bits, so that those of many records are cheap. */
export const FOUND = 1;
const EQUAL_CODE = 2;
const FIRST_WORD = 4;
const IN_WHOLE = 8;
const IN_PARTS = 16;

/**
 * Returns the marks that a word of a record gives it for the n-th word of a search: found; equal as a code;
 * the first word of a name; in its place, and whole unless it is the last, by each order.
 */
export function marksOf(word: Word, range: WordRange, index: number, count: number): number {
  const { text, kind } = word;
  if (kind === OTHER || !isWithin(range, word)) return 0;
  const isEqual = text === range.text;
  if (kind === CODE) return isEqual ? FOUND | EQUAL_CODE : FOUND;
  if (range.isWhole) return 0;
  const position = Math.floor((kind - FIRST_PLACE) / ORDERS.length);
  const order = ORDERS[(kind - FIRST_PLACE) % ORDERS.length];
  const isInPlace = position === index && (isEqual || index === count - 1);
  return (
    FOUND |
    (position === 0 ? FIRST_WORD : 0) |
    (isInPlace && order !== 'part' ? IN_WHOLE : 0) |
    (isInPlace && order !== 'whole' ? IN_PARTS : 0)
  );
}

/** Ranks of found records: the lower the earlier. Part 5, 5B.1, 3. */
const MAX_RANK = 3;

/**
 * Returns the rank of a record by its marks for each word of a search; undefined if a word is not found.
 */
export function rankOf(marks: readonly number[]): number | undefined {
  const [first = 0] = marks;
  if (marks.some((each) => (each & FOUND) === 0)) return undefined;
  if (marks.length === 1 && (first & EQUAL_CODE) !== 0) return 0;
  const beginsSo = [IN_WHOLE, IN_PARTS].some((bit) => marks.every((each) => (each & bit) !== 0));
  if (beginsSo) return 1;
  return (first & FIRST_WORD) !== 0 ? 2 : MAX_RANK;
}

/** Returns the rank of a record for a search; undefined if it is not found. */
export function rankOfRow(fields: SearchFields, row: Item, search: Search): number | undefined {
  const words = wordsOf(fields, row);
  const external = externalRange(search);
  if (words.some((word) => isWithin(external, word))) return 0;
  const count = search.words.length;
  const marks = search.words.map((sought, index) =>
    words.reduce(
      (sum, word) => rangesOf(sought).reduce((each, range) => each | marksOf(word, range, index, count), sum),
      0,
    ),
  );
  return rankOf(marks);
}
