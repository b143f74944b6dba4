import type ru from './messages/ru.json';
import type uz from './messages/uz.json';
import { interpolate, type Locale } from './text.ts';
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
  readonly with?: Readonly<Record<string, string | number>>;
}

/** Translates a message. */
export function translate(locale: Locale, { key, with: values }: MessageDescriptor): string {
  const variant = values?.['variant'];
  const text = variant === undefined ? key : `${key}/${variant}`;
  return interpolate(textIn('messages', locale, text), values);
}

/** Returns true for an error code, which distinguishes a schema's own `error` from zod's messages. */
export function isErrorCode(text: string): text is ErrorCode {
  return !text.includes('/') && Object.hasOwn(catalogueOf('messages', 'ru'), text);
}

/** Returns all error codes. */
export function errorCodes(): ErrorCode[] {
  return Object.keys(catalogueOf('messages', 'ru')).filter(isErrorCode);
}
