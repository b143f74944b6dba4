import { LOCALES, type Locale } from '#lib/values/text.ts';

const DEFAULT: Locale = 'ru';

/** The language of the answer from `Accept-Language`: quality values and regional tags count; `ru` where none fits. */
export function localeOf(header: string | undefined): Locale {
  const wanted = (header ?? '')
    .split(',')
    .map((range) => {
      const [tag = '', ...params] = range.trim().toLowerCase().split(';');
      const quality = params.map((param) => /^\s*q=([\d.]+)/.exec(param)?.[1]).find(Boolean);
      return { language: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality);
  for (const { language } of wanted) {
    const found = LOCALES.find((locale) => locale === language);
    if (found) return found;
  }
  return DEFAULT;
}
