import { expect, test } from 'vitest';
import { isErrorCode } from '#lib/values/message.ts';
import { codeFiles, textOf } from './files.ts';

/**
 * Keys that schemas name as their errors: zod takes any text, so the compiler can't tell a key from a slip.
 */
const NAMED = /\b(?:error|message): '(\w+\.[^']+)'/g;

test('every text that a schema names is in the catalogue', () => {
  const named = codeFiles(['lib', 'functions']).flatMap((file) =>
    [...textOf(file).matchAll(NAMED)].map(([, key = '']) => ({ file, key })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ key }) => !isErrorCode(key))).toEqual([]);
});
