import * as z from 'zod';
import { normalizeText } from './text.ts';

/**
 * Characters excluded from a line of text: controls, surrogates, noncharacters and bidirectional marks.
 * Contract 9.89.
 */
const HIDDEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u;

/** The same for multi-line text. */
const HIDDEN_IN_LINES = new RegExp(`(?![\\t\\n\\r])${HIDDEN.source}`, 'u');

/** Makes a string schema reject hidden characters. */
export function visible(field: z.ZodString, hidden = HIDDEN): z.ZodString {
  return field.refine((line) => !hidden.test(line), { error: 'validation.hidden_signs' });
}

/** Removes hidden characters from a text. */
export function withoutHidden(text: string): string {
  return text.replaceAll(new RegExp(HIDDEN, 'gu'), '');
}

/** Returns the schema of a line of text, trimmed, with the contract's maximum length in characters. */
export function lineOfText(max: number): z.ZodString {
  return visible(z.string().trim().max(max));
}

/** Returns the schema of a required line of text. */
export function text(max: number) {
  return lineOfText(max)
    .min(1, { error: 'validation.required' })
    .refine((value) => !isBlank(value), { error: 'validation.required' });
}

/** Returns true for a text without visible characters; false for an absent one. */
export function isBlank(text: string | null | undefined): boolean {
  return typeof text === 'string' && normalizeText(text) === '';
}

/** Rounds a number to so many decimals. DynamoDB does not store numbers as close to 0 as JSON allows. */
export function roundTo(decimals: number, field: z.ZodNumber) {
  const step = 10 ** decimals;
  // Adding 0 turns -0 into 0.
  return field.transform((value) => Math.round(value * step) / step + 0);
}

/** Makes a field optional; if omitted, it is stored as null. */
export function orNull<T extends z.ZodType>(field: T) {
  return field.nullish().transform((value) => value ?? null);
}

/**
 * Returns the schema of an optional line of text: null and one without visible characters mean absent, and
 * are stored as null.
 */
export function optionalLine(max: number) {
  return orNull(lineOfText(max)).transform((value) => (isBlank(value) ? null : value));
}

/**
 * Returns the schema of an optional multi-line text, e.g. a comment: blank and null mean absent, and are
 * stored as null.
 */
export function optionalText(max: number) {
  return orNull(linesOfText(max)).transform((value) => value || null);
}

/** Returns the schema of a required multi-line text. */
export function nonBlankText(max: number) {
  return linesOfText(max).refine((value) => !isBlank(value), { error: 'validation.required' });
}

/** Returns the schema of a multi-line text. */
export function linesOfText(max: number): z.ZodString {
  return visible(z.string().trim().max(max), HIDDEN_IN_LINES);
}

/** Returns the schema of an optional list without duplicates; empty if omitted. */
export function listOf<T extends z.ZodType>(item: T, max: number) {
  return z
    .array(item)
    .max(max)
    .refine((items) => new Set(items).size === items.length, { error: 'validation.duplicate' })
    .default([]);
}

/** A record id in a body or a parameter. */
export const Id = z.int().positive();

/** A phone number, `998xxyyyzzzz`. */
export const Phone = z.string().regex(/^998\d{9}$/, { error: 'validation.not_phone' });

const asWritten = new WeakSet<object>();

/**
 * Returns the schema of a field of exactly `count` digits, as text or number. The digits of a number are
 * taken from the body's text, since `JSON.parse` would round a long one. Contract 8.
 */
export function digits(count: number) {
  const field = z
    .string()
    .regex(new RegExp(`^\\d{${count}}$`), { error: 'validation.wrong_format' })
    .meta({ type: ['string', 'integer'], description: `${count} digits, as a number or as text` });
  asWritten.add(field);
  return field;
}

/** Returns true if a field's numbers are taken from the body's text. */
export function isReadAsWritten(field: unknown): boolean {
  return typeof field === 'object' && field !== null && asWritten.has(field);
}

/** A string with a JSON array of strings, as forms send lists. */
export const JsonStrings = z.string().transform((value, context) => {
  const parsed = z.array(z.string()).safeParse(parseJson(value));
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: 'validation.not_json_list' });
  return z.NEVER;
});

/** The URLs of an image's sizes, by name: `{original: {raw, webp}, …}`. */
export const ImageAddresses = z.record(z.string(), z.object({ raw: z.string(), webp: z.string() }));

/** A document's note of its source: an object, or an empty list without a note. */
export const SourceData = z.record(z.string(), z.unknown()).or(z.array(z.never()));

/**
 * Returns a list schema whose elements have distinct values of a field, ignoring absent ones; with `within`,
 * distinct among the elements of the same value of that field. 422 on the path of each repeated value.
 */
export function distinct<T extends Record<string, unknown>, S extends z.ZodType<T[]>>(
  field: keyof T & string,
  list: S,
  within?: keyof T & string,
) {
  return list.superRefine((elements, context) => {
    const seenWithin = new Map<unknown, Set<unknown>>();
    for (const [index, element] of elements.entries()) {
      const value = element[field];
      if (value === null || value === undefined) continue;
      const group = (within === undefined ? null : element[within]) ?? null;
      const seen = seenWithin.get(group) ?? new Set();
      seenWithin.set(group, seen);
      if (seen.has(value)) {
        context.addIssue({ code: 'custom', message: 'validation.duplicate', path: [index, field] });
      }
      seen.add(value);
    }
  });
}

/** Parses JSON; undefined if it is malformed. */
export function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
