import * as z from 'zod';

export const LOCALES = ['ru', 'uz', 'oz'] as const;

/** `uz` is Uzbek in Cyrillic script, `oz` Uzbek in Latin script. */
export type Locale = (typeof LOCALES)[number];

/** The form in which names are compared and searched: letter case, width and outer blanks do not count. */
export function fold(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}

/** A localized text as records hold it: exactly `ru`, `uz` and `oz`. Part 1, "Shared conventions". */
export const Localized = z.object({ ru: z.string(), uz: z.string(), oz: z.string() });

export type Localized = z.output<typeof Localized>;

/** All languages of a text folded, one a line: what a localized substring search looks through. */
export function foldLocalized(text: Localized): string {
  return LOCALES.map((locale) => fold(text[locale])).join('\n');
}
