import type ru from './messages/ru.json';
import type uz from './messages/uz.json';
import { type Locale, withValues } from './text.ts';
import { catalogueOf, textIn } from './texts.ts';

/**
 * A code of a refusal: every language has a text for it. Callers match on it, so one that has been published
 * keeps its name. Decisions, 1, "Machine codes".
 */
export type RefusalCode = Exclude<keyof typeof ru & keyof typeof uz, Variant>;

/** The key of a more detailed text for a code: `<code>/<variant>`. */
type Variant = `${string}/${string}`;

/**
 * What a refusal says, still to be said in a language: its code, and the values for its braces. The value
 * `variant` chooses a text of the code.
 */
export interface Phrase {
  readonly key: RefusalCode;
  readonly with?: Readonly<Record<string, string | number>>;
}

/** Says a phrase in a language. */
export function say(locale: Locale, { key, with: values }: Phrase): string {
  const variant = values?.['variant'];
  const text = variant === undefined ? key : `${key}/${variant}`;
  return withValues(textIn('messages', locale, text), values);
}

/** Tells whether a text is a code; this tells a schema's own `error` from zod's. */
export function isRefusalCode(text: string): text is RefusalCode {
  return !text.includes('/') && Object.hasOwn(catalogueOf('messages', 'ru'), text);
}

/** Lists all codes of refusals. */
export function refusalCodes(): RefusalCode[] {
  return Object.keys(catalogueOf('messages', 'ru')).filter(isRefusalCode);
}
