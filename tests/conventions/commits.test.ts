import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './files.ts';

/** The last commit from before the rule; a shallow clone doesn't have it, and shows what it has. */
const BEFORE = '1d42a03e228789321c84de5895e4d6919f02e720';

const SUBJECT = /^[A-Z][^\n]{0,70}[^.\s]$/;

const isRepository = existsSync(join(ROOT, '.git'));

test.runIf(isRepository)(
  'a commit’s subject has at most 72 columns, a capital first, and no full stop',
  () => {
    expect(subjects().filter((subject) => !SUBJECT.test(subject))).toEqual([]);
  },
);

test.each([
  ['Sell a hold: the held price wins', true],
  ['sell a hold', false],
  ['Sell a hold.', false],
  [`Sell ${'a'.repeat(67)}`, true],
  [`Sell ${'a'.repeat(68)}`, false],
])('%s: %s', (subject, isRight) => {
  expect(SUBJECT.test(subject)).toBe(isRight);
});

function subjects(): string[] {
  const log = (...range: string[]) =>
    execFileSync('git', ['log', '--no-merges', '--format=%s', ...range], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  try {
    return log(`${BEFORE}..HEAD`).trim().split('\n');
  } catch {
    return log('--max-count=1').trim().split('\n');
  }
}
