import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
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
  body: webhooks.WebhookInput,
  response: webhooks.WebhookWithSecret,
  uses: ['receivers'],
  note:
    'The secret is shown once. A webhook tells what its creator may see: the right to list each of its types ' +
    'is asked now, and right and reach again whenever something is sent. Addresses must be global unicast. ' +
    'It tells of what was committed from the seconds before it was added on. 403 under `auth-as`.',
  run: ({ actor, body, at }) => create(actor, body, at),
});
