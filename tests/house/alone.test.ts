import { expect, test } from 'vitest';
import { ALONE } from '#tests/alone.ts';
import { filesUnder, textOf } from './files.ts';

/** What changes a process: its settings, clock, outputs, or how it speaks to the table; or measures it. */
const CHANGES =
  /\bvi\.(spyOn|stub\w+|mock\w*|useFakeTimers|setSystemTime)\(|\bprocess\.env\[.*\] \S*= |\bprocess\.cpuUsage\(|\bbillMissing\(|kit\/(clock|faults|empty-stage|lists)\.ts'/;

/** Faults have a process each; proofs share one, and run what they change in others. */
const HAVE_THEIR_OWN = /\.faults\.test\.ts$|^tests\/infra\//;

test('tests that share a process neither change nor measure it, and only those that do are alone', () => {
  const files = filesUnder('tests', '.test.ts').filter((file) => !HAVE_THEIR_OWN.test(file));
  expect(files.filter((file) => CHANGES.test(textOf(file)))).toEqual([...ALONE].sort());
});
