import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { headersFor, newWebhookSecret, secretText } from '#lib/webhooks/receiver/signature.ts';

const message = { id: 'msg_7_1_15', body: '{"type":"trade.sale.created"}' };

test('the specification’s own library verifies what we sign (Part 4, 4.2)', () => {
  const secret = newWebhookSecret();
  const now = Math.floor(Date.now() / 1000);
  const headers = headersFor(message, [secret], now);
  expect(secretText(secret)).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const receiver = new Webhook(secretText(secret));
  expect(receiver.verify(message.body, headers)).toEqual(JSON.parse(message.body));
  expect(() => receiver.verify(`${message.body} `, headers)).toThrow(WebhookVerificationError);
  const late = headersFor(message, [secret], now - 600);
  expect(() => receiver.verify(message.body, late)).toThrow(WebhookVerificationError);
});

test('two secrets sign side by side, and each verifies (Part 4, 4.2)', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()];
  const headers = headersFor(message, secrets, Math.floor(Date.now() / 1000));
  expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
  for (const secret of secrets) new Webhook(secretText(secret)).verify(message.body, headers);
});
