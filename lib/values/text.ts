export const LOCALES = ['ru', 'uz', 'oz'] as const;

/** `uz` is Uzbek in Cyrillic script, `oz` Uzbek in Latin script. */
export type Locale = (typeof LOCALES)[number];

/**
 * Folds a text for comparing and searching names: letter case, width, outer blanks and signs that nobody sees
 * do not count.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

/** The word for success. Part 1, "Shared conventions", 8. */
export const SUCCESS: Readonly<Record<Locale, string>> = {
  ru: 'Успешно',
  uz: 'Муваффақиятли',
  oz: 'Muvaffaqiyatli',
};

/** Puts values into the braces of a text: `{max}`. */
export function withValues(text: string, values: Readonly<Record<string, string | number>> = {}): string {
  return text.replace(/\{(\w+)\}/g, (brace, name: string) => inWords(values[name] ?? brace));
}

// The smallest quantity is 0.00000001, not 1e-8.
const NUMBERS = new Intl.NumberFormat('en-US', { useGrouping: false, maximumFractionDigits: 8 });

function inWords(value: string | number): string {
  return typeof value === 'number' ? NUMBERS.format(value) : value;
}
