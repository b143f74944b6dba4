import { type Locale, withValues } from '#lib/values/text.ts';
import { ozLabels } from './oz.ts';
import { type LabelKey, type Labels, ruLabels } from './ru.ts';
import { uzLabels } from './uz.ts';

const CATALOGUE: Readonly<Record<Locale, Labels>> = {
  ru: ruLabels,
  uz: uzLabels,
  oz: ozLabels,
};

/** A word or a line of a form, still to be said in a language: its key, and the values for its braces. */
export interface Label {
  readonly key: LabelKey;
  readonly with?: Readonly<Record<string, string | number>>;
}

/** Says a label in a language. */
export function label(locale: Locale, { key, with: values }: Label): string {
  return withValues(CATALOGUE[locale][key], values);
}
