import { afterEach, expect, test, vi } from 'vitest';
import { isSigned, signatureOf } from '#lib/auth/signature.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

test('while the secret that the gateway knows changes, signatures by both are good, by no third', () => {
  const signatures = ['first', 'second', 'third'].map((secret) => {
    vi.stubEnv('GATEWAY_SECRET', secret);
    return signatureOf('text');
  });
  vi.stubEnv('GATEWAY_SECRET', 'second');
  vi.stubEnv('GATEWAY_SECRET_BELIEVED', 'first');
  expect(signatures.map((signature) => isSigned('text', signature))).toEqual([true, true, false]);
  expect(signatureOf('text')).toBe(signatures[1]);
});
