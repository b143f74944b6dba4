import * as z from 'zod';
import { text } from './fields.ts';
import { fold, LOCALES } from './text.ts';

/** A text in every language. Part 1, "Shared conventions", 2. */
export const Localized = z.object({ ru: z.string(), uz: z.string(), oz: z.string() });

export type Localized = z.output<typeof Localized>;

/** A required text in every language. */
export function localizedText(max: number) {
  return z.object({ ru: text(max), uz: text(max), oz: text(max) });
}

/** The same where each language, and the whole, may be left out: what is not said is an empty text. */
export function optionalLocalizedText(max: number) {
  const said = z
    .string()
    .trim()
    .max(max)
    .nullish()
    .transform((value) => value ?? '');
  return z
    .object({ ru: said, uz: said, oz: said })
    .nullish()
    .transform((value) => value ?? { ru: '', uz: '', oz: '' });
}

/** The same, or one text that stands for every language. */
export function localizedOrOne(max: number) {
  return z
    .union([z.looseObject({}), text(max)])
    .transform((name) => (typeof name === 'string' ? { ru: name, uz: name, oz: name } : name))
    .pipe(localizedText(max));
}

/** Every language's text folded, for substring filters: a part never runs over from one language to the next. */
export function foldEach({ ru, uz, oz }: Localized): Localized {
  return { ru: fold(ru), uz: fold(uz), oz: fold(oz) };
}

/** Each language's text as a unique name within a scope, at its dotted path. */
export function localizedClaims(path: string, scope: string, name: Localized) {
  return LOCALES.map((locale) => ({ path: `${path}.${locale}`, scope, text: name[locale] }));
}
