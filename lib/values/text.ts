export const LOCALES = ['ru', 'uz', 'oz'] as const;

/** `uz` is Uzbek in Cyrillic script, `oz` Uzbek in Latin script. */
export type Locale = (typeof LOCALES)[number];

/** Folds a text for comparing and searching names: letter case, width and outer blanks do not count. */
export function fold(text: string): string {
  return text.normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase();
}
