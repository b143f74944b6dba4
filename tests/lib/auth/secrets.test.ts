import { SignJWT } from 'jose/jwt/sign';
import { beforeAll, expect, test, vi } from 'vitest';
import { readToken } from '#lib/auth/tokens.ts';

const AT = Date.parse('2026-11-21T06:00:00Z');
const CLAIMS = { user: 7, session: 1, role: null, company: null, family: null };

// Signing keys are created at the first token: this file changes settings before that.
beforeAll(() => {
  vi.stubEnv('TOKEN_SECRET', 'the secret that signs, for this test alone');
  vi.stubEnv('TOKEN_SECRET_BELIEVED', 'the one that is believed too, for this test');
});

function signedWith(secret: string): Promise<string> {
  return new SignJWT(CLAIMS)
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(AT / 1000 + 60)
    .sign(new TextEncoder().encode(secret));
}

test('while secrets change, tokens of both are good, and of no third', async () => {
  const [used, believed] = [process.env['TOKEN_SECRET'], process.env['TOKEN_SECRET_BELIEVED']];
  for (const secret of [used, believed]) {
    expect(await readToken(await signedWith(String(secret)), AT)).toMatchObject({ user: 7 });
  }
  await expect(
    readToken(await signedWith('a secret that was good until yesterday..'), AT),
  ).rejects.toMatchObject({
    status: 401,
  });
});
