import type ru from './messages/ru.json';
import type uz from './messages/uz.json';
import { interpolate, type Locale } from './text.ts';
import { catalogueOf, textIn } from './texts.ts';

/**
 * A code of a refusal: every language has a text for it. Callers match on it, so one that has been published
 * keeps its name. Contract 1, "Machine codes".
 */
export type ErrorCode = Exclude<keyof typeof ru & keyof typeof uz, Variant>;

/** The key of a more detailed text for a code: `<code>/<variant>`. */
type Variant = `${string}/${string}`;

/**
 * What a refusal says, still to be said in a language: its code, and the values for its braces. The value
 * `variant` chooses a text of the code.
 */
export interface MessageDescriptor {
  readonly key: ErrorCode;
  readonly with?: Readonly<Record<string, string | number>>;
}

/** Says a phrase in a language. */
export function translate(locale: Locale, { key, with: values }: MessageDescriptor): string {
  const variant = values?.['variant'];
  const text = variant === undefined ? key : `${key}/${variant}`;
  return interpolate(textIn('messages', locale, text), values);
}

/** Tells whether a text is a code; this tells a schema's own `error` from zod's. */
export function isErrorCode(text: string): text is ErrorCode {
  return !text.includes('/') && Object.hasOwn(catalogueOf('messages', 'ru'), text);
}

/** Lists all codes of refusals. */
export function errorCodes(): ErrorCode[] {
  return Object.keys(catalogueOf('messages', 'ru')).filter(isErrorCode);
}
