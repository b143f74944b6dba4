import { expect, test } from 'vitest';
import { codeFiles, textOf } from './files.ts';
import { commentsIn, withoutTexts } from './tokens.ts';

/** Texts, templates and patterns may be wider: Biome can't wrap them. */
const WIDEST = 110;

/** "where" for a condition, as far as a pattern can tell that from a place. */
const CONDITION =
  /(?:^\/[*/]+|\.) where\b|\b(?:undefined|null|none|nothing|true|false|throws|contention`?|[45]\d\d),? where\b|\bwhere (?:there|it|they|one|none|nobody|nothing|somebody|someone|some|not|left)\b/i;

/** What is said above a function, exported or not. */
const ABOVE_FUNCTION = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export )?(?:async )?function\b/g;

/** A verb in the third person, as far as a pattern can tell it from a plural. */
const VERB = /^[A-Z][a-z]+s\b(?!['’,]| (?:of|are|is)\b)/;

const CIRCLING = /^\/\*\* (?:what of|the (?:[^\s.,;:]+ ){1,6}?that) /i;

test.each(codeFiles())(
  'comments are in plain English, begin with a verb above a function, and lines are within 110 columns: %s',
  (file) => {
    expect(faultsOf(textOf(file))).toEqual([]);
  },
);

test.each([
  '// Undefined where there is none.',
  '/** Where it fails, others do it. */',
  '/**\n * The writes\n * that change it.\n */',
  '/** What of a role decides. */',
  '/** The writes of a sale. */\nexport function saleWrites() {}',
  '/**\n * Lines of a hold.\n */\nasync function* linesOf() {}',
  `const wide = ${'1 + '.repeat(30)}1;`,
])('a fault is told: %s', (source) => {
  expect(faultsOf(source)).toHaveLength(1);
});

/** A file of ours in backticks, by its path or the end of it; one seen from another file is an example. */
const FILE = /`((?:\w[\w.-]*\/)*\w[\w.-]*\.ts)`/g;

test('comments name existing files', () => {
  const files = codeFiles();
  const named = files.flatMap((file) =>
    commentsIn(textOf(file)).flatMap((comment) => [...comment.matchAll(FILE)].map(([, name = '']) => name)),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
});

function faultsOf(source: string): string[] {
  const wide = withoutTexts(source)
    .split('\n')
    .filter((line) => line.length > WIDEST);
  const texts = commentsIn(source);
  const above = [...source.matchAll(ABOVE_FUNCTION)].map(([, text = '']) => text.replace(/^[\s*]+/, ''));
  return [
    ...wide.map((line) => `over ${WIDEST} columns: ${line}`),
    ...texts
      .filter((text) => CONDITION.test(text) || CIRCLING.test(text))
      .map((text) => `not in plain English: ${text}`),
    ...above.filter((text) => !VERB.test(text)).map((text) => `begins without a verb: ${text}`),
  ];
}
