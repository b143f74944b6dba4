import { expect, test } from 'vitest';
import { isTransientError } from '#lib/table/transient-errors.ts';

test.each([
  [{ name: 'TimeoutError' }, true],
  [{ name: 'RequestTimeout' }, true],
  [{ name: 'ServiceUnavailable' }, true],
  [{ name: 'Unheard', $fault: 'server' }, true],
  [{ name: 'Error', code: 'ECONNREFUSED' }, true],
  [{ name: 'ValidationException', $fault: 'client' }, false],
  [{ name: 'TypeError' }, false],
])('%j is a table that may answer later: %j', (error, expected) => {
  expect(isTransientError(Object.assign(new Error('failed'), error))).toBe(expected);
});
