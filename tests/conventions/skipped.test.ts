import { expect, test } from 'vitest';
import { lineOf } from '#tests/skipped.ts';

const skipped = (note: string | undefined) => ({
  result: () => ({ state: 'skipped', errors: undefined, note }) as const,
});

test('the last line of a run says what was skipped and why', () => {
  const all = [skipped('the page: apt-get install x'), skipped('sheets'), skipped('sheets')];
  expect(lineOf(all)).toBe('Skipped: 1 of the page: apt-get install x; 2 of sheets');
});

test('nothing is said of tests that a word on the command line leaves out', () => {
  expect(lineOf([skipped(undefined)])).toBeUndefined();
  expect(lineOf([])).toBeUndefined();
});
