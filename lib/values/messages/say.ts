import type { Locale } from '#lib/values/text.ts';
import { oz } from './oz.ts';
import { type MessageKey, type Messages, ru } from './ru.ts';
import { uz } from './uz.ts';

const CATALOGUE: Readonly<Record<Locale, Messages>> = { ru, uz, oz };

/** A text still to be said: its key, and the values for its braces. */
export interface Phrase {
  readonly key: MessageKey;
  readonly with?: Readonly<Record<string, string | number>>;
}

/** Says a phrase in a language. */
export function say(locale: Locale, { key, with: values }: Phrase): string {
  const text = CATALOGUE[locale][key];
  if (!values) return text;
  return text.replace(/\{(\w+)\}/g, (brace, name: string) => String(values[name] ?? brace));
}

/** Tells whether a text is a key of the catalogue; this tells a schema's own `error` from zod's. */
export function isMessageKey(text: string): text is MessageKey {
  return text in ru;
}
