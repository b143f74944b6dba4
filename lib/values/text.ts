export const LOCALES = ['ru', 'uz', 'oz'] as const;

/** `uz` is Uzbek in Cyrillic script, `oz` Uzbek in Latin script. */
export type Locale = (typeof LOCALES)[number];

/**
 * Characters that keyboards produce for the mark in oʻ and gʻ, for the glottal stop and for an apostrophe, as
 * part of a regular-expression class. Contract 9.122.
 */
export const APOSTROPHES = "'`\u00b4\u02b9\u02bb-\u02be\u2018\u2019\u201b\u2032\u2035\uff07";

const APOSTROPHE = new RegExp(`[${APOSTROPHES}]`, 'g');

/** Invisible characters: format characters, default ignorables, and the Braille blank. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Normalizes a text for comparing and searching names: ignores letter case, width, outer blanks and invisible
 * characters, unifies apostrophes, and turns ё into е. A change would invalidate stored names.
 */
export function normalizeText(text: string): string {
  // NFKC would turn a spacing acute accent into a blank.
  const plain = withoutUnseen(text.normalize('NFC').replace(APOSTROPHE, "'")).replace(APOSTROPHE, "'");
  return plain.trim().replace(/\s+/g, ' ').toLowerCase().normalize('NFC').replaceAll('ё', 'е');
}

/** Returns a text in NFKC, without invisible characters. */
export function withoutUnseen(text: string): string {
  const seen = text.replace(UNSEEN, '').normalize('NFKC');
  // Normalization turns wide fillers into plain ones.
  return seen.replace(UNSEEN, '').normalize('NFKC');
}

/** The message of success. Part 1, "Shared conventions", 8. */
export const SUCCESS: Readonly<Record<Locale, string>> = {
  ru: 'Успешно',
  uz: 'Муваффақиятли',
  oz: 'Muvaffaqiyatli',
};

const PLACEHOLDER = /\{(\w+)\}/g;

/** Replaces the placeholders of a text, e.g. `{max}`, by values. */
export function interpolate(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return text.replace(PLACEHOLDER, (brace, name: string) => inWords(values[name] ?? brace));
}

/** Returns the names of a text's placeholders. */
export function placeholdersOf(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].flatMap(([_, name]) => name ?? []);
}

// The smallest quantity is 0.00000001, not 1e-8.
const NUMBERS = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 8 });

function inWords(value: string | number): string {
  return typeof value === 'number' ? NUMBERS.format(value) : value;
}
