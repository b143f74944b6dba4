import { expect, test } from 'vitest';
import { LONGEST } from '#tests/longest-first.ts';
import { filesUnder } from './files.ts';

test('tests that begin first are there, each once', () => {
  const faults = new Set(filesUnder('tests', '.faults.test.ts'));
  expect(LONGEST.filter((path) => !faults.has(path))).toEqual([]);
  expect(new Set(LONGEST).size).toBe(LONGEST.length);
});
