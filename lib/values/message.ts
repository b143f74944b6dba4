import type ru from './messages/ru.json';
import type uz from './messages/uz.json';
import { interpolate, type Locale, placeholdersOf } from './text.ts';
import { catalogueOf, textIn } from './texts.ts';

/**
 * An error code, with a text in every language. Callers match on it, so a published one is never renamed.
 * Contract 1, "Machine codes".
 */
export type ErrorCode = Exclude<keyof typeof ru & keyof typeof uz, Variant>;

/** The key of a more detailed text for a code: `<code>/<variant>`. */
type Variant = `${string}/${string}`;

/**
 * A message to be translated: its code, and the values for its placeholders. The value `variant` selects a
 * text of the code.
 */
export interface MessageDescriptor {
  readonly key: ErrorCode;
  readonly with?: MessageValues;
}

/** Values for the placeholders of a text, by name. */
export type MessageValues = Readonly<Record<string, string | number>>;

/** Translates a message. */
export function translate(locale: Locale, message: MessageDescriptor): string {
  return interpolate(textOf(locale, message), message.with);
}

/** A value that no text shows, beside values that reveal what goods cost. */
export const REVEALING = { reveals_cost: 1 } as const;

/**
 * Returns a message as callers without the right to see costs get it: with the text `<code>/hidden` if its
 * values reveal one. Part 5, 5A.13.
 */
export function withCostHidden(message: MessageDescriptor): MessageDescriptor {
  const { with: values } = message;
  return values && 'reveals_cost' in values
    ? { ...message, with: { ...values, variant: 'hidden' } }
    : message;
}

/** A value that no text shows: the right that the caller lacks. Part 5, 5B.2, 3. */
const LACKED = 'right';

/** Returns the values that the text of a message shows, and the right that is lacked. Part 5, 5B.4. */
export function valuesInText(locale: Locale, message: MessageDescriptor): MessageValues {
  const { with: values = {} } = message;
  const shown = placeholdersOf(textOf(locale, message));
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => shown.includes(name) || name === LACKED),
  );
}

function textOf(locale: Locale, { key, with: values }: MessageDescriptor): string {
  const variant = values?.['variant'];
  return textIn('messages', locale, variant === undefined ? key : `${key}/${variant}`);
}

/** Returns true for an error code, which distinguishes a schema's own `error` from zod's messages. */
export function isErrorCode(text: string): text is ErrorCode {
  return !text.includes('/') && Object.hasOwn(catalogueOf('messages', 'ru'), text);
}

/** Returns all error codes. */
export function errorCodes(): ErrorCode[] {
  return Object.keys(catalogueOf('messages', 'ru')).filter(isErrorCode);
}

/** Returns the names of the values that the texts of an error code may show. */
export function paramsOfCode(code: ErrorCode): string[] {
  const texts = Object.entries(catalogueOf('messages', 'ru'));
  const own = texts.filter(([key]) => key === code || key.startsWith(`${code}/`));
  return [...new Set(own.flatMap(([_, text]) => placeholdersOf(text)))];
}
