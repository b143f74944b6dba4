import { createServer } from 'node:http';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listen } from '#bin/cli/listen.ts';
import { sendOnce } from '#lib/webhooks/delivery/send.ts';
import { PATIENCE_MS } from '#lib/webhooks/receiver/http-post.ts';
import { newWebhookSecret } from '#lib/webhooks/receiver/signature.ts';
import { newSecretFields } from '#lib/webhooks/secret.ts';
import type { StoredWebhook } from '#lib/webhooks/webhook.ts';
import { startNameServer } from '#tests/support/name-server.ts';

const PLACE = { tenant: 'family-1', id: 1 } as const;
const AT = Date.now();
const EVENT = {
  ...{ id: 1, event: 'product.brand.updated', changed_at: AT },
  data: { type: 'product.brand', id: 5, revision: 2, company_id: 1 },
};

function webhookAt(url: string): StoredWebhook {
  return {
    ...{ id: 1, url, description: null, types: [], is_active: true, is_deleted: false, version: 1 },
    ...{ disabled_at: null, disabled_reason: null, failing_since: null, company_id: 1, creator_id: 1 },
    ...{ created_at: AT, updated_at: AT, generation: 1 },
    ...newSecretFields(PLACE, newWebhookSecret()),
  };
}

const send = (url: string) => sendOnce(PLACE, webhookAt(url), EVENT, AT);

test.each([
  [200, true],
  [204, true],
  [299, true],
  [302, false],
  [400, false],
  [429, false],
  [500, false],
])('an answer of %i within 10 s: delivered is %s (Part 4, 4.2 (1))', async (status, isDelivered) => {
  vi.stubEnv('LOCAL_RECEIVERS', 'true');
  const server = createServer((_, response) => void response.writeHead(status).end('heard'));
  const { address, stop } = await listen(server);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    return stop();
  });
  expect(PATIENCE_MS).toBe(10_000);
  expect(await send(address)).toMatchObject({ isDelivered, isGone: false, attempt: { status_code: status } });
});

test('a name that turns to an inner address is a failed try (Part 4, 4.2 (5))', async () => {
  let isInner = false;
  const { server, stop } = await startNameServer(() => (isInner ? ['169.254.169.254'] : []));
  vi.stubEnv('DNS_SERVERS', server);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    stop();
  });
  const attempt = { status_code: null, answer: 'webhook.url_without_address' };
  expect(await send('https://turning.example/')).toMatchObject({ isDelivered: false, attempt });
  isInner = true;
  const turned = { status_code: null, answer: 'webhook.url_not_public' };
  expect(await send('https://turning.example/')).toMatchObject({ isDelivered: false, attempt: turned });
});
