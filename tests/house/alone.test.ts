import { expect, test } from 'vitest';
import { ALONE } from '#tests/alone.ts';
import { filesUnder, textOf } from './files.ts';

/** What changes a process: its settings, clock, outputs, or how it speaks to the table. */
const CHANGES =
  /\bvi\.(spyOn|stub\w+|mock\w*|useFakeTimers|setSystemTime)\(|\bprocess\.env\[.*\] \S*= |kit\/(clock|faults)\.ts'/;

test('tests that share a process change nothing of it, and only those that do are alone', () => {
  const files = filesUnder('tests/functions', '.test.ts').filter((file) => !file.endsWith('.faults.test.ts'));
  expect(files.filter((file) => CHANGES.test(textOf(file)))).toEqual([...ALONE].sort());
});
