import { expect, test } from 'vitest';
import { codeFiles, filesUnder, textOf } from './files.ts';
import { codeOf } from './tokens.ts';

/** Always called through the noun: `brands.list(…)`. */
const THROUGH_THE_NOUN = new Set(['list', 'get', 'create', 'edit', 'remove', 'restore']);

/** Words that were given up, each for the one beside it. */
const GIVEN_UP = new Map([
  ['settle', 'recover, retryOnContention, saleWrites'],
  ['settled', 'immutable, final, or an indexed filter'],
  ['mark', 'lock'],
  ['memo', 'list index'],
  ['alone', 'one: writeOne'],
  ['purse', 'money kind'],
  ['wrongs', 'problems'],
]);

/** Words that are too plain for an exported name; inside a function they are what they say. */
const TOO_PLAIN = new Map([
  ['kept', 'records'],
  ['balances', 'counters'],
]);

const EXPORT = /^export (?:async )?(?:function\*?|const|class|interface|type) (\w+)/gm;

const exported = filesUnder('lib', '.ts').flatMap((file) =>
  [...new Set([...textOf(file).matchAll(EXPORT)].map(([, name = '']) => name))].map((name) => ({
    name,
    file,
  })),
);

test('an exported name has one home', () => {
  const homes = Map.groupBy(exported, ({ name }) => name);
  const doubled = [...homes].filter(([name, { length }]) => length > 1 && !THROUGH_THE_NOUN.has(name));
  expect(doubled.map(([name, each]) => `${name}: ${each.map(({ file }) => file).join(', ')}`)).toEqual([]);
});

test('no name has a word that was given up', () => {
  const found = codeFiles(['bin', 'functions', 'infra', 'lib']).flatMap((file) =>
    namesIn(codeOf(textOf(file)))
      .filter((name) => hasWordOf(GIVEN_UP, name))
      .map((name) => `${file}: ${name}`),
  );
  expect(found).toEqual([]);
});

test('no exported name is too plain', () => {
  expect(exported.filter(({ name }) => hasWordOf(TOO_PLAIN, name))).toEqual([]);
});

test.each([
  'const wrongs = 1;',
  'for (const { id: wrongs } of all)',
  'function sum(wrongs: number)',
  'MARK_MS',
])('a word that was given up is found: %s', (source) => {
  expect(namesIn(codeOf(source)).filter((name) => hasWordOf(GIVEN_UP, name))).toHaveLength(1);
});

/** Lists the names that code gives or uses, except properties, which may be others' names. */
function namesIn(code: string): string[] {
  return [...new Set([...code.matchAll(/(?<![.\w])[a-z]\w*/gi)].map(([name]) => name))];
}

function hasWordOf(words: ReadonlyMap<string, string>, name: string): boolean {
  return name.split(/(?<=[a-z])(?=[A-Z])|_/).some((word) => words.has(word.toLowerCase()));
}
