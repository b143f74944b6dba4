export const LOCALES = ['ru', 'uz', 'oz'] as const;

/** `uz` is Uzbek in Cyrillic script, `oz` Uzbek in Latin script. */
export type Locale = (typeof LOCALES)[number];

/**
 * Signs that keyboards have for the one of oʻ and gʻ, for the glottal stop and for an apostrophe, as a part
 * of a class of a regular expression. Contract 9.122.
 */
export const APOSTROPHES = "'`\u00b4\u02b9\u02bb-\u02be\u2018\u2019\u201b\u2032\u2035\uff07";

const APOSTROPHE = new RegExp(`[${APOSTROPHES}]`, 'g');

/** Signs that nobody sees: formats, what is ignored by default, and a pattern of Braille without a dot. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Folds a text for comparing and searching names: letter case, width, outer blanks and signs that nobody sees
 * do not count, all apostrophes are one, and ё is е. Changing it changes what stands in stored names.
 */
export function normalizeText(text: string): string {
  // By itself the acute accent would become a blank.
  const plain = withoutUnseen(text.normalize('NFC').replace(APOSTROPHE, "'")).replace(APOSTROPHE, "'");
  return plain.trim().replace(/\s+/g, ' ').toLowerCase().normalize('NFC').replaceAll('ё', 'е');
}

/** Gives a text in its plainest form, without the signs that nobody sees. */
export function withoutUnseen(text: string): string {
  const seen = text.replace(UNSEEN, '').normalize('NFKC');
  // Wide fillers have become plain ones.
  return seen.replace(UNSEEN, '').normalize('NFKC');
}

/** The word for success. Part 1, "Shared conventions", 8. */
export const SUCCESS: Readonly<Record<Locale, string>> = {
  ru: 'Успешно',
  uz: 'Муваффақиятли',
  oz: 'Muvaffaqiyatli',
};

/** Puts values into the braces of a text: `{max}`. */
export function interpolate(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (brace, name: string) => inWords(values[name] ?? brace));
}

// The smallest quantity is 0.00000001, not 1e-8.
const NUMBERS = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 8 });

function inWords(value: string | number): string {
  return typeof value === 'number' ? NUMBERS.format(value) : value;
}
