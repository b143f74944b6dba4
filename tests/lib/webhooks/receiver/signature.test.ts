import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newSecret, secretText, signedHeaders } from '#lib/webhooks/receiver/signature.ts';

const message = { id: 'msg_7_1_15', body: '{"type":"trade.sale.created"}' };

test('the specification’s own library verifies what we sign (Part 4, 4.2)', () => {
  const secret = newSecret();
  const now = Math.floor(Date.now() / 1000);
  const headers = signedHeaders(message, [secret], now);
  expect(secretText(secret)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const receiver = new Webhook(secretText(secret));
  expect(receiver.verify(message.body, headers)).toEqual(JSON.parse(message.body));
  expect(() => receiver.verify(`${message.body} `, headers)).toThrow(WebhookVerificationError);
  const late = signedHeaders(message, [secret], now - 600);
  expect(() => receiver.verify(message.body, late)).toThrow(WebhookVerificationError);
});

test('two secrets sign side by side, and each verifies (Part 4, 4.2)', () => {
  const secrets = [newSecret(), newSecret()];
  const headers = signedHeaders(message, secrets, Math.floor(Date.now() / 1000));
  expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
  for (const secret of secrets) new Webhook(secretText(secret)).verify(message.body, headers);
});
