const LETTERS: Readonly<Record<string, string>> = {
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ё: 'yo', ж: 'j', з: 'z', и: 'i', й: 'y' },
  ...{ к: 'k', л: 'l', м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f' },
  ...{ х: 'x', ц: 's', ч: 'ch', ш: 'sh', ъ: '’', ь: '', э: 'e', ю: 'yu', я: 'ya' },
  ...{ ў: 'o‘', қ: 'q', ғ: 'g‘', ҳ: 'h' },
};

const VOWEL_OR_SIGN = /[аеёиоуэюяўъь]/iu;

/**
 * Transliterates Cyrillic Uzbek text into Latin letters. Both scripts are one language, so each text is
 * stored once. Latin letters, as in `{max}`, are unchanged.
 */
export function latin(text: string): string {
  return text.replace(/\p{Script=Cyrillic}/gu, (letter, index: number) => {
    const small = letter.toLowerCase();
    const written = inLatin(small, text[index - 1], text[index + 1]);
    if (letter === small) return written;
    return written.slice(0, 1).toUpperCase() + written.slice(1);
  });
}

function inLatin(letter: string, before = ' ', after = ' '): string {
  if (letter === 'е' && (VOWEL_OR_SIGN.test(before) || !/\p{L}/u.test(before))) return 'ye';
  if (letter === 'ц' && VOWEL_OR_SIGN.test(before)) return 'ts';
  // It only separates the two sounds, and `ye` does so itself: obyekt.
  if (letter === 'ъ' && /е/iu.test(after)) return '';
  return LETTERS[letter] ?? letter;
}
