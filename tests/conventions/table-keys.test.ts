import { expect, test } from 'vitest';
import { codeFiles, textOf } from './files.ts';

/** The code of each file of `lib/`, without comments. */
const CODES = codeFiles(['lib']).map((file) => textOf(file).replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, ''));

/** Lists the words at some places of the code, each spelled there or the value of its file's constant. */
function wordsAt(place: RegExp): string[] {
  const words = CODES.flatMap((code) => {
    const constants = new Map(
      [...code.matchAll(/const ([A-Z_]+)(?:: \w+)? = '([a-z-]+)';/g)].map(([, name = '', word = '']) => [
        name,
        word,
      ]),
    );
    return [...code.matchAll(place)].map(([, name = '']) => constants.get(name) ?? name);
  });
  return [...new Set(words)].filter((word) => /^[a-z-]+$/.test(word));
}

/** Types of records: their headers are one row of the table of keys. */
const TYPES = wordsAt(/\btype: '?([A-Z_]+|(?<=')[\w-]+)/g);

const KEYS = [
  ...wordsAt(/`([a-z][a-z-]*)#\$?[\w{]/g),
  ...wordsAt(/\bpk: '?([A-Z_]+|(?<=')[\w-]+)/g),
  ...wordsAt(/\b(?:partition|recordKey)\(\s*'?([A-Z_]+|(?<=')[\w-]+)'?,/g),
];

const ROWS = [...textOf('docs/table-keys.md').matchAll(/^\| `([a-z][a-z-]*)(?:#[^`]*)?` \|/gm)]
  .map(([, word = '']) => word)
  .filter((word) => word !== 'pk');

test('every kind of key that the code makes has its row in the table of keys', () => {
  const told = new Set([...ROWS, ...TYPES]);
  expect(KEYS.filter((word) => !told.has(word))).toEqual([]);
});

test('every row of the table of keys is a kind of key that the code makes', () => {
  const made = new Set([...KEYS, ...TYPES]);
  expect(ROWS.length).toBeGreaterThan(20);
  expect(ROWS.filter((word) => !made.has(word))).toEqual([]);
});
