import type ru from './messages/ru.json';
import type uz from './messages/uz.json';
import { type Locale, withValues } from './text.ts';
import { catalogueOf, textIn } from './texts.ts';

/**
 * A code of a refusal: every language has a text for it. Callers match on it, so one that has been published
 * keeps its name. Decisions, 1, "Machine codes".
 */
export type RefusalCode = keyof typeof ru & keyof typeof uz;

/** What a refusal says, still to be said in a language: its code, and the values for its braces. */
export interface Phrase {
  readonly key: RefusalCode;
  readonly with?: Readonly<Record<string, string | number>>;
}

/** Says a phrase in a language. */
export function say(locale: Locale, { key, with: values }: Phrase): string {
  return withValues(textIn('messages', locale, key), values);
}

/** Tells whether a text is a code; this tells a schema's own `error` from zod's. */
export function isRefusalCode(text: string): text is RefusalCode {
  return Object.hasOwn(catalogueOf('messages', 'ru'), text);
}

/** Lists all codes of refusals. */
export function refusalCodes(): RefusalCode[] {
  return Object.keys(catalogueOf('messages', 'ru')).filter(isRefusalCode);
}
