import { endpoint } from '#lib/http/endpoint.ts';
import { edit, remove } from '#lib/webhooks/change.ts';
import * as webhooks from '#lib/webhooks/webhook.ts';

export const GET = endpoint({
  right: 'company.webhook.show',
  response: webhooks.Webhook,
  run: ({ actor, id }) => webhooks.get(actor, id),
});

export const PUT = endpoint({
  right: 'company.webhook.update',
  body: webhooks.WebhookInput,
  response: webhooks.ChangedWebhook,
  uses: ['receivers'],
  note:
    'Another `url` makes another `secret`, which only this answer shows, and drops what is pending. ' +
    '`is_active: true` wakes a webhook: what happened meanwhile is not sent. 403 for who does not hold every ' +
    'right and company of its creator, and under `auth-as`.',
  run: ({ actor, id, body, at }) => edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.webhook.destroy',
  note: 'For good: nothing restores it. It makes room for another.',
  run: ({ actor, id, at }) => remove(actor, id, at),
});
