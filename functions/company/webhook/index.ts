import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { LIST_RIGHTS } from '#lib/sync/right.ts';
import { create } from '#lib/webhooks/change.ts';
import * as webhooks from '#lib/webhooks/webhook.ts';

export const GET = listing({
  right: 'company.webhook.index',
  query: webhooks.WebhookList,
  rows: webhooks.Webhook,
  run: ({ actor, query }) => webhooks.list(actor, query),
});

export const POST = endpoint({
  right: 'company.webhook.store',
  mayNeed: LIST_RIGHTS,
  body: webhooks.WebhookInput,
  response: webhooks.WebhookWithSecret,
  uses: ['receivers'],
  note:
    'The secret is returned only once. A webhook sends only what its creator can access: the right to list ' +
    'each type is checked now, and rights and access again before each delivery. Receiver addresses must be ' +
    'global unicast. Events committed a few seconds before the creation may be included. 403 during ' +
    'impersonation.',
  run: ({ actor, body, at }) => create(actor, body, at),
});
