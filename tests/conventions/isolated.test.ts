import { expect, test } from 'vitest';
import { ISOLATED } from '#tests/tiers.ts';
import { filesUnder, textOf } from './files.ts';

/** What measures a process, changes what its modules read once, or sets what nothing puts back. */
const NEEDS_ITS_OWN =
  /\bprocess\.(cpuUsage|memoryUsage)\(|\bvi\.(resetModules|mock|doMock|useFakeTimers|setSystemTime|stubGlobal)\(|\bprocess\.env\[.*\] \S*= |\bstubEnv\('TOKEN_SECRET|support\/table-faults\.ts'/;

/** Faults have a process each; proofs share one, and run what they change in others. */
const HAVE_THEIR_OWN = /\.crash\.test\.ts$|^tests\/infra\//;

test('tests that share a process do not measure it or change it for others, and only those that do are alone', () => {
  const files = filesUnder('tests', '.test.ts').filter((file) => !HAVE_THEIR_OWN.test(file));
  expect(files.filter((file) => NEEDS_ITS_OWN.test(textOf(file)))).toEqual([...ISOLATED].sort());
});
