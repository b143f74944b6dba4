import { interpolate, type Locale } from '#lib/values/text.ts';
import { textIn } from '#lib/values/texts.ts';
import type ru from './ru.json';
import type uz from './uz.json';

/** The key of a word of a form, a sheet or a name that the service gives: every language has it. */
export type LabelKey = keyof typeof ru & keyof typeof uz;

/** A word or a line of a form, still to be said in a language: its key, and the values for its braces. */
export interface Label {
  readonly key: LabelKey;
  readonly with?: Readonly<Record<string, string | number>>;
}

/** Says a label in a language. */
export function translateLabel(locale: Locale, { key, with: values }: Label): string {
  return interpolate(textIn('labels', locale, key), values);
}
