import { expect, test } from 'vitest';
import * as z from 'zod';
import { codeFiles, textOf } from './files.ts';
import { commentsIn } from './tokens.ts';

/** Substitutes for terms and actors, which `docs/glossary.md` forbids in prose. */
const PATTERNS = {
  'a clause for a noun':
    /\bwhat(?:ever)? (?:is|are|was|were|has|have|had|comes|came|it|they|a|an|the|its|of)\b/gi,
  'a sentence that begins with a question word': /(?:^|[.:;] )(?:What|Who|Whoever|Whatever)\b/g,
  'an actor without a name':
    /\b(?:whoever|nobody|somebody|someone|who (?:does|is|has|asks|reads|writes))\b/gi,
  telling: /\b(?:tells?|told|says?|said|hears?|heard)\b/gi,
  'a metaphor':
    /\b(?:vouch\w*|knock\w*|lanes?|shel(?:f|ves)|cheques?|judg(?:e|es|ed|ing)|meanwhile|anew|by right)\b/gi,
} as const;

type Counts = Readonly<Record<string, number>>;

const NONE = countIn([]);

/** Remaining matches by folder: lower a number when it falls. */
const LEFT: Readonly<Record<string, Counts>> = {
  lib: { ...NONE, 'a clause for a noun': 1, 'a metaphor': 2 },
  functions: NONE,
  infra: NONE,
  bin: NONE,
  bench: NONE,
  tests: {
    ...NONE,
    'a clause for a noun': 57,
    'a sentence that begins with a question word': 4,
    'an actor without a name': 4,
    telling: 19,
    'a metaphor': 31,
  },
  'openapi.json': { ...NONE, 'a clause for a noun': 2, 'a metaphor': 4 },
};

const Described = z.object({ description: z.string().optional(), summary: z.string().optional() });

test.each(['lib', 'functions', 'infra', 'bin', 'bench', 'tests'])(
  'comments of %s speak the field’s language',
  (folder) => {
    const comments = codeFiles([folder]).flatMap((file) => commentsIn(textOf(file)));
    expect(comments.length).toBeGreaterThan(5);
    expect(countIn(comments)).toEqual(LEFT[folder]);
  },
);

test('the public reference speaks the field’s language', () => {
  const texts = textsIn(JSON.parse(textOf('openapi.json')));
  expect(texts.length).toBeGreaterThan(500);
  expect(countIn(texts)).toEqual(LEFT['openapi.json']);
});

test('a pattern is found as often as it stands there', () => {
  expect(countIn(['Tells what is told. Whoever asks, nobody says.'])).toEqual({
    'a clause for a noun': 1,
    'a sentence that begins with a question word': 1,
    'an actor without a name': 2,
    telling: 3,
    'a metaphor': 0,
  });
});

function countIn(texts: readonly string[]): Counts {
  const countOf = (pattern: RegExp) =>
    texts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
  return Object.fromEntries(Object.entries(PATTERNS).map(([name, pattern]) => [name, countOf(pattern)]));
}

/** Lists the descriptions and summaries of a document, however deep. */
function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { description, summary } = Described.safeParse(value).data ?? {};
  const own = [description, summary].filter((text) => text !== undefined);
  return [...own, ...Object.values(value).flatMap(textsIn)];
}
