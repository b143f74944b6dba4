import { beforeEach, expect, test, vi } from 'vitest';
import { isSealedAnew, keySealing, seal, Unopened, unseal } from '#lib/auth/sealed.ts';

const SECRET = Buffer.from('a secret of thirty-two bytes....');

beforeEach(() => {
  vi.stubEnv('SEALING_SECRET', 'the first');
  return () => vi.unstubAllEnvs();
});

test('a sealed secret is read again, in its place alone (Part 4, 4.2 (6))', () => {
  const sealed = seal(SECRET, 'family-1#1');
  expect(sealed).not.toContain(SECRET.toString('base64'));
  expect(seal(SECRET, 'family-1#1')).not.toBe(sealed);
  expect(unseal(sealed, 'family-1#1')).toEqual(SECRET);
  expect(() => unseal(sealed, 'family-1#2')).toThrow();
});

test('the key before is believed while the key changes, and no other', () => {
  const sealed = seal(SECRET, 'here');
  vi.stubEnv('SEALING_SECRET', 'the second');
  expect(() => unseal(sealed, 'here')).toThrow();
  vi.stubEnv('SEALING_SECRET_BELIEVED', 'the first');
  expect(unseal(sealed, 'here')).toEqual(SECRET);
});

test('what is sealed says by which of the keys, by its number', () => {
  const sealed = seal(SECRET, 'here');
  expect([keySealing(sealed), isSealedAnew(sealed)]).toEqual(['1', true]);
  vi.stubEnv('SEALING_KEY_NUMBER', '2');
  expect([keySealing(sealed), isSealedAnew(sealed)]).toEqual(['1', false]);
  expect(keySealing(seal(SECRET, 'here'))).toBe('2');
});

test('what was sealed before keys had numbers is opened, and is to be sealed anew', () => {
  const plain = seal(SECRET, 'here').replace(/^1:/, '');
  expect(unseal(plain, 'here')).toEqual(SECRET);
  expect([keySealing(plain), isSealedAnew(plain)]).toEqual([undefined, false]);
});

test('what somebody has changed is not read', () => {
  const bytes = Buffer.from(seal(SECRET, 'here').replace(/^1:/, ''), 'base64');
  bytes[30] = (bytes[30] ?? 0) ^ 1;
  expect(() => unseal(bytes.toString('base64'), 'here')).toThrow(Unopened);
});
