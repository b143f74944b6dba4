import { expect, test } from 'vitest';
import { newWebhookSecret } from '#lib/webhooks/receiver/signature.ts';
import { newSecretFields, nextSecretFields, secretsAt } from '#lib/webhooks/secret.ts';

const PLACE = { tenant: 'family-1', id: 1 } as const;
const HOUR = 3_600_000;

test('for 24 hours the secret before signs too, and then no more (Part 4, 4.2)', () => {
  const [first, second, third] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
  const made = newSecretFields(PLACE, first);
  expect(secretsAt(PLACE, made, 0)).toEqual([first]);
  const rotated = nextSecretFields(PLACE, made, second, 0);
  expect(secretsAt(PLACE, rotated, 24 * HOUR - 1)).toEqual([second, first]);
  expect(secretsAt(PLACE, rotated, 24 * HOUR)).toEqual([second]);
  expect(secretsAt(PLACE, nextSecretFields(PLACE, rotated, third, HOUR), 2 * HOUR)).toEqual([third, second]);
});

test('a secret is stored encrypted (Part 4, 4.2 (6))', () => {
  const secret = newWebhookSecret();
  const stored = JSON.stringify(newSecretFields(PLACE, secret));
  expect(stored).not.toContain(secret.toString('base64'));
  expect(stored).not.toContain(secret.toString('hex'));
});
