import * as z from 'zod';
import type { ApiError, FieldErrors } from './api-error.ts';
import { type MessageDescriptor, translate, valuesInText, withCostHidden } from './message.ts';
import type { Locale } from './text.ts';

const TextsByPath = z.record(z.string(), z.array(z.string()));
const Values = z.record(z.string(), z.union([z.string(), z.number()]));

/** Texts or codes by field path; null without field errors. */
export const FieldTexts = TextsByPath.nullable();

/** Values in texts: by field path, parallel to their codes, or those of the only message. Part 5, 5B.4. */
export const ErrorParams = z.union([z.record(z.string(), z.array(Values)), Values]);

/** Parts of an API error that are translated. */
type ApiErrorParts = Pick<ApiError, 'status' | 'phrase' | 'fields'>;

/** Error statuses whose messages have values for programs. Part 5, 5B.4. */
const WITH_PARAMS = [400, 422];

/**
 * Translates an API error: message, code and the values of its text, for invalid fields also theirs. Part 1,
 * "Errors"; Contract 1, "Machine codes".
 */
export function translateError(locale: Locale, { status, phrase, fields }: ApiErrorParts) {
  const body = { message: translate(locale, phrase), code: phrase.key };
  if (!WITH_PARAMS.includes(status)) return body;
  if (status !== 422) return { ...body, params: valuesInText(locale, phrase) };
  return { message: body.message, ...translateFields(locale, fields), code: body.code };
}

/** Returns an API error as callers without the right to see costs get it. Part 5, 5A.13. */
export function withCostsHidden({ status, phrase, fields }: ApiErrorParts): ApiErrorParts {
  return { status, phrase: withCostHidden(phrase), fields: fieldsWithCostsHidden(fields) };
}

/** Returns field errors likewise. */
export function fieldsWithCostsHidden(fields: FieldErrors): FieldErrors {
  return Object.fromEntries(Object.entries(fields).map(([path, error]) => [path, withCostHidden(error)]));
}

/** Translates field errors: their texts, codes and values by path. */
export function translateFields(locale: Locale, fields: FieldErrors) {
  const byPath = <T>(part: (error: MessageDescriptor) => T) =>
    Object.fromEntries(Object.entries(fields).map(([path, error]) => [path, [part(error)]]));
  return {
    errors: byPath((error) => translate(locale, error)),
    codes: byPath(({ key }) => key),
    params: byPath((error) => valuesInText(locale, error)),
  };
}
