import type { Locale } from '#lib/values/text.ts';
import { withValues } from '#lib/values/text.ts';
import { oz } from './messages/oz.ts';
import { type Messages, type RefusalCode, ru } from './messages/ru.ts';
import { uz } from './messages/uz.ts';

const CATALOGUE: Readonly<Record<Locale, Messages>> = { ru, uz, oz };

/** What a refusal says, still to be said in a language: its code, and the values for its braces. */
export interface Phrase {
  readonly key: RefusalCode;
  readonly with?: Readonly<Record<string, string | number>>;
}

/** Says a phrase in a language. */
export function say(locale: Locale, { key, with: values }: Phrase): string {
  return withValues(CATALOGUE[locale][key], values);
}

/** Tells whether a text is a code; this tells a schema's own `error` from zod's. */
export function isRefusalCode(text: string): text is RefusalCode {
  return Object.hasOwn(ru, text);
}

/** All codes of refusals. */
export const REFUSAL_CODES: readonly RefusalCode[] = Object.keys(ru).filter(isRefusalCode);
