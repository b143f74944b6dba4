import { inLanguage, type Locale, withValues } from '#lib/values/text.ts';
import { type LabelKey, ruLabels } from './ru.ts';
import { uzLabels } from './uz.ts';

/** A word or a line of a form, still to be said in a language: its key, and the values for its braces. */
export interface Label {
  readonly key: LabelKey;
  readonly with?: Readonly<Record<string, string | number>>;
}

/** Says a label in a language. */
export function label(locale: Locale, { key, with: values }: Label): string {
  return withValues(inLanguage(locale, ruLabels[key], uzLabels[key]), values);
}
