import { expect, test } from 'vitest';
import { codeFiles, textOf } from './files.ts';

/** A view with its bounds, or a copy. */
const BOUNDED = /\.buffer, \w+\.byteOffset, |new Uint8Array\(.*\)\.buffer\b/;

test('an ArrayBuffer is taken with its bounds or from a copy, because small Buffers share one', () => {
  const lines = codeFiles().flatMap((file) =>
    textOf(file)
      .split('\n')
      .filter((line) => /[\w)]\.buffer\b/.test(line) && !BOUNDED.test(line))
      .map((line) => `${file}: ${line.trim()}`),
  );
  expect(lines).toEqual([]);
});
