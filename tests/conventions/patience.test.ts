import { expect, test } from 'vitest';
import { filesUnder, textOf } from './files.ts';

const FILES = filesUnder('tests', '.ts').filter((file) => !file.startsWith('tests/conventions/'));

test('no test has a time limit of its own: the common one ends what hangs, on a busy machine, too', () => {
  const limited = FILES.filter((file) => /^( {2})?\}, \d+_000\);$|\btest\(.*\btimeout:/m.test(textOf(file)));
  expect(limited).toEqual([]);
});

test('no wait ends after a second, which is the default', () => {
  const impatient = FILES.flatMap((file) =>
    textOf(file)
      .split('vi.waitFor(')
      .slice(1)
      .filter((after) => !/MAX_WAIT_MS|SOON/.test(after.slice(0, 400)))
      .map((after) => `${file}: ${after.slice(0, 60)}`),
  );
  expect(impatient).toEqual([]);
});
