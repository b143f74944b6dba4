import { type RefusalCode, ru } from './messages/ru.ts';
import { uz } from './messages/uz.ts';
import { inLanguage, type Locale, withValues } from './text.ts';

/** What a refusal says, still to be said in a language: its code, and the values for its braces. */
export interface Phrase {
  readonly key: RefusalCode;
  readonly with?: Readonly<Record<string, string | number>>;
}

/** Says a phrase in a language. */
export function say(locale: Locale, { key, with: values }: Phrase): string {
  return withValues(inLanguage(locale, ru[key], uz[key]), values);
}

/** Tells whether a text is a code; this tells a schema's own `error` from zod's. */
export function isRefusalCode(text: string): text is RefusalCode {
  return Object.hasOwn(ru, text);
}

/** All codes of refusals. */
export const REFUSAL_CODES: readonly RefusalCode[] = Object.keys(ru).filter(isRefusalCode);
