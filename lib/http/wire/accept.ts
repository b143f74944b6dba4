import { LOCALES, type Locale } from '#lib/values/text.ts';

const DEFAULT: Locale = 'ru';

/** Browsers send less; splitting takes longer than in proportion. */
const LONGEST_HEADER = 200;

/**
 * Chooses the language of the answer by `Accept-Language`: quality values and regional tags count; `ru` if
 * none fits.
 */
export function localeOf(header: string | undefined): Locale {
  const ranges = (header ?? '')
    .slice(0, LONGEST_HEADER)
    .toLowerCase()
    .split(',')
    .map(rangeOf)
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { tag } of ranges) {
    const locale = localeWithTag(tag);
    if (locale) return locale;
  }
  return DEFAULT;
}

function rangeOf(range: string): { tag: string; quality: number } {
  const [tag = '', ...params] = range.trim().split(/\s*;\s*/);
  const quality = params.map((param) => /^q=([\d.]+)$/.exec(param)?.[1]).find(Boolean) ?? '1';
  return { tag, quality: Number(quality) };
}

function localeWithTag(tag: string): Locale | undefined {
  // Browsers know Uzbek in Latin script by its standard tag.
  if (tag.startsWith('uz-latn')) return 'oz';
  const [language] = tag.split('-');
  return LOCALES.find((locale) => locale === language);
}

/**
 * Tells whether a caller takes gzip and likes nothing packed no better, by its `Accept-Encoding`. RFC 9110,
 * 12.5.3.
 */
export function takesGzip(accepted = ''): boolean {
  const weights = new Map(accepted.toLowerCase().split(',').map(weightOf));
  const gzip = weights.get('gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

/** Reads a coding and how much it is liked: 1 if nothing is said, 0 is "not at all". */
function weightOf(listed: string): [string, number] {
  const [coding = '', ...parameters] = listed.split(';').map((text) => text.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [coding, weight === undefined ? 1 : Number(weight.slice('q='.length))];
}
