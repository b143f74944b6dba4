import { interpolate, type Locale } from '#lib/values/text.ts';
import { catalogueOf, textIn } from '#lib/values/texts.ts';
import type ru from './ru.json';
import type uz from './uz.json';

/** Key of a label in a printed form, a sheet or a generated name: every language has its text. */
export type LabelKey = keyof typeof ru & keyof typeof uz;

/** A label to be translated: its key, and the values for its placeholders. */
export interface Label {
  readonly key: LabelKey;
  readonly with?: Readonly<Record<string, string | number>>;
}

/** Returns true for the key of a label. */
export function isLabelKey(key: unknown): key is LabelKey {
  return typeof key === 'string' && Object.hasOwn(catalogueOf('labels', 'ru'), key);
}

/** Translates a label. */
export function translateLabel(locale: Locale, { key, with: values }: Label): string {
  return interpolate(textIn('labels', locale, key), values);
}

/** Returns the label of a value of an enumeration. */
export function enumerationLabel(locale: Locale, list: string, value: string): string {
  return textIn('labels', locale, `${list}.${value}`);
}
