import { sameBarcodes } from './code.ts';
import { APOSTROPHES, withoutUnseen } from './text.ts';

/*
 * Words of a search and of records. Both are folded to Latin letters, so that a text is found in either
 * script of Uzbek and in Russian; a letter with two readings is folded to both. Part 5, 5B.1, 1 and 2.
 */

const APOSTROPHE = new RegExp(`[${APOSTROPHES}]`, 'g');

/** Latin readings of letters, if not the letter itself. */
const READINGS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ...{ а: ['a'], б: ['b'], в: ['v'], г: ['g'], ғ: ['g'], д: ['d'], е: ['e'], ё: ['e', 'yo'], ж: ['j'] },
    ...{ з: ['z'], и: ['i'], ы: ['i'], й: ['y'], к: ['k'], қ: ['k'], q: ['k'], л: ['l'], м: ['m'], н: ['n'] },
    ...{ о: ['o'], ў: ['o', 'u'], п: ['p'], р: ['r'], с: ['s'], т: ['t'], у: ['u'], ф: ['f'], х: ['h'] },
    ...{ ҳ: ['h'], x: ['h'], ц: ['ts', 's'], ч: ['ch'], ш: ['sh'], щ: ['sh'], ъ: [''], ь: [''], э: ['e'] },
    ...{ ю: ['yu'], я: ['ya'], "'": [''] },
  }),
);

const FIRST_YE = ['e', 'ye'];
const O_WITH_SIGN = ['o', 'u'];

/** Letters with two readings of which all combinations count; of further ones the first reading counts. */
const MAX_AMBIGUOUS = 5;

const SIGNS = /[^\p{L}\p{M}\p{N}']+/gu;

/** Signs that normalization turns into letters: `№95`, `Cola™`. No other letterlike ones: `㎏` is a unit. */
const LETTERLIKE_SIGNS = /[\u2100\u2101\u2103\u2105\u2106\u2109\u2116\u2120-\u2122\u213b]/g;

/** A number as people write it: a code or a phone in groups. */
const GROUPED_NUMBER = /^[\d\s+()-]*\d[\d\s+()-]*$/;

/** Returns the readings of a word in Latin letters. */
export function foldWord(word: string): string[] {
  let readings = [''];
  let ambiguous = 0;
  const letters = [...word];
  for (const [index, letter] of letters.entries()) {
    const ofLetter = readingsOf(letter, index === 0, letters[index + 1]);
    const isBoth = ofLetter.length > 1 && ambiguous < MAX_AMBIGUOUS;
    if (isBoth) ambiguous += 1;
    const used = isBoth ? ofLetter : ofLetter.slice(0, 1);
    readings = readings.flatMap((before) => used.map((reading) => `${before}${reading}`));
  }
  return [...new Set(readings)];
}

function readingsOf(letter: string, isFirst: boolean, next: string | undefined): readonly string[] {
  if (letter === 'е' && isFirst) return FIRST_YE;
  if (letter === 'o' && next === "'") return O_WITH_SIGN;
  return READINGS.get(letter) ?? [letter];
}

/** Sequence of a word: those between blanks, or those between any signs. */
type WordOrder = 'both' | 'whole' | 'part';

/** Word of a name, in its readings. */
export interface NameWord {
  readonly readings: readonly string[];
  readonly position: number;
  readonly order: WordOrder;
}

/** Returns the words of a name: those between blanks without their signs, and their parts between signs. */
export function wordsOfName(name: string): NameWord[] {
  const whole = wordsBetweenBlanks(name);
  const parts = whole.map((word) => word.split(SIGNS).filter((part) => part !== ''));
  let before = 0;
  return whole.flatMap((word, position) => {
    const own = parts[position] ?? [];
    const firstPart = before;
    before += own.length;
    const isOne = own.length === 1 && firstPart === position;
    const asWhole: NameWord = {
      readings: foldWord(withoutSigns(word)),
      position,
      order: isOne ? 'both' : 'whole',
    };
    if (isOne) return [asWhole];
    const asParts = own.map(
      (part, index): NameWord => ({ readings: foldWord(part), position: firstPart + index, order: 'part' }),
    );
    return [asWhole, ...asParts];
  });
}

/** Returns the readings of a code, which is one word. */
export function wordOfCode(code: string): string[] {
  return foldWord(withoutSigns(plain(code).replace(/\s/g, '')));
}

/** Returns the words of a phone number: with the country's code, and without. */
export function wordsOfPhone(phone: string): string[] {
  const digits = phone.replace(/\D/g, '');
  return digits.startsWith('998') ? [digits, digits.slice(3)] : [digits];
}

/** A word of a search, in its readings, and other spellings of the whole code that it may be. */
export interface SoughtWord {
  readonly readings: readonly string[];
  readonly spellings: readonly string[];
}

/** A search, as parsed. */
export interface Search {
  readonly words: readonly SoughtWord[];
  /** The text as an external id, which is compared exactly. */
  readonly whole: string;
}

/** Parses a search; a number in groups is one word. */
export function parseSearch(text: string): Search {
  const ready = plain(text);
  const isNumber = GROUPED_NUMBER.test(ready);
  const words = isNumber ? [ready.replace(/\D/g, '')] : wordsBetweenBlanks(text).map(withoutSigns);
  return { whole: text.trim(), words: words.map(soughtWord) };
}

function soughtWord(word: string): SoughtWord {
  const spellings = sameBarcodes(word).filter((spelling) => spelling !== word);
  return { readings: foldWord(word), spellings };
}

function wordsBetweenBlanks(text: string): string[] {
  return plain(text)
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}

function withoutSigns(word: string): string {
  return word.replace(SIGNS, '');
}

/** Returns a text in lower case, with one sign for all apostrophes, and without invisible characters. */
function plain(text: string): string {
  // NFKC would turn a spacing acute accent into a blank.
  const written = text.normalize('NFC').replace(APOSTROPHE, "'").replace(LETTERLIKE_SIGNS, '#');
  const seen = withoutUnseen(written).replace(APOSTROPHE, "'");
  return seen.toLowerCase().normalize('NFC');
}
