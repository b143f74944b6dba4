import { expect, test } from 'vitest';
import { filesUnder, textOf } from './files.ts';

/** Always called through the noun: `brands.list(…)`. */
const THROUGH_THE_NOUN = new Set(['list', 'get', 'create', 'edit', 'remove', 'restore']);

/** Words that were given up, each for the one beside it. */
const GIVEN_UP = new Map([
  ['settle', 'recover, retryOnContention, saleWrites'],
  ['settled', 'immutable, or an indexed filter'],
  ['kept', 'records'],
  ['mark', 'lock'],
  ['memo', 'list index'],
  ['alone', 'one: writeOne'],
  ['purse', 'money kind'],
  ['balances', 'counters'],
  ['wrongs', 'problems'],
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

test('no exported name has a word that was given up', () => {
  const words = (name: string) => name.split(/(?=[A-Z])|_/).map((word) => word.toLowerCase());
  const found = exported.filter(({ name }) => words(name).some((word) => GIVEN_UP.has(word)));
  expect(found).toEqual([]);
});
