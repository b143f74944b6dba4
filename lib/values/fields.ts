import * as z from 'zod';
import { normalizeText } from './text.ts';

/**
 * Signs that no line of text has: controls, halves of characters, what is no character, and marks that turn
 * the direction of what follows. Contract 9.89.
 */
const HIDDEN = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/u;

/** The same for a text of several lines. */
const HIDDEN_IN_LINES = new RegExp(`(?![\\t\\n\\r])${HIDDEN.source}`, 'u');

/** Makes a string refuse hidden signs. */
export function visible(field: z.ZodString, hidden = HIDDEN): z.ZodString {
  return field.refine((line) => !hidden.test(line), { error: 'validation.hidden_signs' });
}

/** Gives a text without hidden signs. */
export function withoutHidden(text: string): string {
  return text.replaceAll(new RegExp(HIDDEN, 'gu'), '');
}

/** Makes a line of text, trimmed, with the contract's maximum length in characters. */
export function lineOfText(max: number): z.ZodString {
  return visible(z.string().trim().max(max));
}

/** Makes a required line of text. */
export function text(max: number) {
  return lineOfText(max)
    .min(1, { error: 'validation.required' })
    .refine((value) => !isBlank(value), { error: 'validation.required' });
}

/** Tells whether there is a text in which nothing can be seen. */
export function isBlank(text: string | null | undefined): boolean {
  return typeof text === 'string' && normalizeText(text) === '';
}

/**
 * Makes a number with at most so many decimals, to which it is rounded. DynamoDB holds no number as near to 0
 * as a number in JSON may be.
 */
export function roundTo(decimals: number, field: z.ZodNumber) {
  const step = 10 ** decimals;
  // A zero below zero is 0.
  return field.transform((value) => Math.round(value * step) / step + 0);
}

/** Makes a field optional; if it is left out, it is held as null. */
export function orNull<T extends z.ZodType>(field: T) {
  return field.nullish().transform((value) => value ?? null);
}

/**
 * Makes an optional line of text: null, and one in which nothing can be seen, mean absent, and are held as
 * null.
 */
export function optionalLine(max: number) {
  return orNull(lineOfText(max)).transform((value) => (isBlank(value) ? null : value));
}

/** Makes an optional text of several lines, a comment: blank and null mean absent, and are held as null. */
export function optionalText(max: number) {
  return orNull(linesOfText(max)).transform((value) => value || null);
}

/** Makes a text of several lines. */
export function linesOfText(max: number): z.ZodString {
  return visible(z.string().trim().max(max), HIDDEN_IN_LINES);
}

/** Makes an optional list without doubles; if it is left out, it is empty. */
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
 * Makes a field of exactly so many digits, as text or as a number. A number is read as it was written, since
 * `JSON.parse` would round a long one. Contract 8.
 */
export function digits(count: number) {
  const field = z
    .string()
    .regex(new RegExp(`^\\d{${count}}$`), { error: 'validation.wrong_format' })
    .meta({ type: ['string', 'integer'], description: `${count} digits, as a number or as text` });
  asWritten.add(field);
  return field;
}

/** Tells whether a field's numbers are to be read as they were written. */
export function isReadAsWritten(field: unknown): boolean {
  return typeof field === 'object' && field !== null && asWritten.has(field);
}

/** A string that holds a JSON array of strings, as forms send lists. */
export const JsonStrings = z.string().transform((value, context) => {
  const parsed = z.array(z.string()).safeParse(parseJson(value));
  if (parsed.success) return parsed.data;
  context.addIssue({ code: 'custom', message: 'validation.not_json_list' });
  return z.NEVER;
});

/** The addresses of an image's sizes, by their names: `{original: {raw, webp}, …}`. */
export const ImageAddresses = z.record(z.string(), z.object({ raw: z.string(), webp: z.string() }));

/** A document's note of its source: an object, or an empty list if there is nothing to note. */
export const SourceData = z.record(z.string(), z.unknown()).or(z.array(z.never()));

/**
 * Makes a list in which no two elements have the same value of a field, if they have one. 422 on the path of
 * each that repeats one.
 */
export function distinct<T extends Record<string, unknown>, S extends z.ZodType<T[]>>(
  field: keyof T & string,
  list: S,
) {
  return list.superRefine((elements, context) => {
    const seen = new Set<unknown>();
    for (const [index, element] of elements.entries()) {
      const value = element[field];
      if (value === null || value === undefined) continue;
      if (seen.has(value)) {
        context.addIssue({ code: 'custom', message: 'validation.duplicate', path: [index, field] });
      }
      seen.add(value);
    }
  });
}

/** Reads a text that is JSON; undefined if it is none. */
export function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}
