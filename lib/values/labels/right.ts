import type { Localized } from '#lib/values/localized.ts';
import { enumerationLabel } from './label.ts';

/** Translates the name of a right, of a group of rights or of a set of them to every language. */
export function translateRight(kind: 'right' | 'group' | 'noun' | 'role_set', name: string): Localized {
  const labelIn = (locale: 'ru' | 'uz' | 'oz') => enumerationLabel(locale, kind, name);
  return { ru: labelIn('ru'), uz: labelIn('uz'), oz: labelIn('oz') };
}
