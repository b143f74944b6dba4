import { latin } from './latin.ts';
import type { Currency, MinorUnits } from './money.ts';
import type { Locale } from './text.ts';

/* Amounts in words, for documents that people sign. */

interface Language {
  readonly zero: string;
  /** From 1 on, up to the last number with a word of its own. */
  readonly ones: readonly string[];
  /** 10, 20, 30 … */
  readonly tens: readonly string[];
  readonly hundreds: readonly string[];
  /** Thousands, millions, milliards: the forms after one, two to four, more. */
  readonly scales: readonly (readonly [one: string, few: string, more: string])[];
  /** The currency's name, after any number. */
  readonly sum: string;
}

const RU_ONES =
  'один два три четыре пять шесть семь восемь девять десять одиннадцать двенадцать тринадцать четырнадцать пятнадцать шестнадцать семнадцать восемнадцать девятнадцать';

const RUSSIAN: Language = {
  zero: 'ноль',
  ones: RU_ONES.split(' '),
  tens: 'десять двадцать тридцать сорок пятьдесят шестьдесят семьдесят восемьдесят девяносто'.split(' '),
  hundreds: 'сто двести триста четыреста пятьсот шестьсот семьсот восемьсот девятьсот'.split(' '),
  scales: [
    ['тысяча', 'тысячи', 'тысяч'],
    ['миллион', 'миллиона', 'миллионов'],
    ['миллиард', 'миллиарда', 'миллиардов'],
  ],
  sum: 'сум',
};

const UZ_ONES = 'бир икки уч тўрт беш олти етти саккиз тўққиз'.split(' ');

/** Nouns are not inflected after numbers. */
const UZBEK: Language = {
  zero: 'нол',
  ones: UZ_ONES,
  tens: 'ўн йигирма ўттиз қирқ эллик олтмиш етмиш саксон тўқсон'.split(' '),
  hundreds: UZ_ONES.map((each) => `${each} юз`),
  scales: ['минг', 'миллион', 'миллиард'].map((name) => [name, name, name]),
  sum: 'сўм',
};

/** Thousands are feminine in Russian. */
const FEMININE: Readonly<Record<string, string>> = { один: 'одна', два: 'две' };

/**
 * Returns an amount in words, its hundredths in figures. Sums are named; other currencies are shown by their
 * code, since a name would have to be declined.
 */
export function amountInWords(amount: MinorUnits, currency: Currency, locale: Locale): string {
  const text = amountIn(locale === 'ru' ? RUSSIAN : UZBEK, amount, currency);
  return locale === 'oz' ? latin(text) : text;
}

function amountIn(language: Language, amount: MinorUnits, currency: Currency): string {
  const words = inWords(Math.floor(amount / 100), language);
  const hundredths = String(amount % 100).padStart(2, '0');
  const text = words.slice(0, 1).toUpperCase() + words.slice(1);
  return currency === 'uzs'
    ? `${text} ${language.sum} ${hundredths} тийин`
    : `${text} ${currency.toUpperCase()} ${hundredths}/100`;
}

function inWords(whole: number, language: Language): string {
  if (whole === 0) return language.zero;
  const groups = [3, 2, 1, 0].flatMap((scale) => {
    const count = Math.floor(whole / 1000 ** scale) % 1000;
    const names = language.scales[scale - 1];
    const words = below1000(count, language);
    if (count === 0 || !names) return words;
    return [...(scale === 1 ? words.map((word) => FEMININE[word] ?? word) : words), formFor(count, names)];
  });
  return groups.join(' ');
}

function below1000(count: number, { ones, tens, hundreds }: Language): string[] {
  const rest = count % 100;
  const last =
    rest <= ones.length ? [ones[rest - 1]] : [tens[Math.floor(rest / 10) - 1], ones[(rest % 10) - 1]];
  return [hundreds[Math.floor(count / 100) - 1], ...last].filter((word) => word !== undefined);
}

/** Returns the form of a noun after a number. */
function formFor(count: number, [one, few, more]: Language['scales'][number]): string {
  const last = count % 10;
  if (last === 0 || last > 4 || Math.floor((count % 100) / 10) === 1) return more;
  return last === 1 ? one : few;
}
