import { expect, test } from 'vitest';
import { LONGEST } from '#tests/longest-first.ts';
import { filesUnder } from './files.ts';

test('tests that begin first are there, each once', () => {
  const tests = new Set(filesUnder('tests', '.test.ts'));
  expect(LONGEST.filter((path) => !tests.has(path))).toEqual([]);
  expect(new Set(LONGEST).size).toBe(LONGEST.length);
});
