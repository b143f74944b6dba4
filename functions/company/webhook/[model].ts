import { endpoint } from '#lib/http/endpoint.ts';
import { LIST_RIGHTS } from '#lib/sync/right.ts';
import { edit, remove } from '#lib/webhooks/change.ts';
import * as webhooks from '#lib/webhooks/webhook.ts';

export const GET = endpoint({
  right: 'company.webhook.show',
  response: webhooks.Webhook,
  run: ({ actor, id }) => webhooks.get(actor, id),
});

export const PUT = endpoint({
  right: 'company.webhook.update',
  mayNeed: LIST_RIGHTS,
  body: webhooks.WebhookInput,
  response: webhooks.ChangedWebhook,
  uses: ['receivers'],
  note:
    'A new `url` creates a new `secret`, returned only in this response, and drops pending deliveries. ' +
    '`is_active: true` enables a disabled webhook; events from the time it was disabled are not sent. 403 ' +
    'unless the caller holds all rights and companies of its creator, and during impersonation.',
  run: ({ actor, id, body, at }) => edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.webhook.destroy',
  note: "Permanent: the webhook can't be restored and no longer counts toward the limit.",
  run: ({ actor, id, at }) => remove(actor, id, at),
});
