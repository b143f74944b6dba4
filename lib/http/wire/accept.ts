import { LOCALES, type Locale } from '#lib/values/text.ts';

const DEFAULT: Locale = 'ru';

/** Browsers send less; splitting takes more than linear time. */
const LONGEST_HEADER = 200;

/**
 * Returns the language of the response by `Accept-Language`, with quality values and regional tags; `ru` if
 * none matches.
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
  // Browsers send the standard tag for Uzbek in Latin script.
  if (tag.startsWith('uz-latn')) return 'oz';
  const [language] = tag.split('-');
  return LOCALES.find((locale) => locale === language);
}

/**
 * Returns true if `Accept-Encoding` accepts gzip, and does not prefer an uncompressed response. RFC 9110,
 * 12.5.3.
 */
export function takesGzip(accepted = ''): boolean {
  const weights = new Map(accepted.toLowerCase().split(',').map(weightOf));
  const gzip = weights.get('gzip') ?? weights.get('*') ?? 0;
  return gzip > 0 && gzip >= (weights.get('identity') ?? 0);
}

/** Parses a coding and its weight: 1 by default, 0 excludes it. */
function weightOf(listed: string): [string, number] {
  const [coding = '', ...parameters] = listed.split(';').map((text) => text.trim());
  const weight = parameters.find((parameter) => parameter.startsWith('q='));
  return [coding, weight === undefined ? 1 : Number(weight.slice('q='.length))];
}
