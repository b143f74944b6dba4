import { endpoint } from '#lib/http/endpoint.ts';
import { rotate } from '#lib/webhooks/change.ts';
import { WebhookWithSecret } from '#lib/webhooks/webhook.ts';

export const POST = endpoint({
  right: 'company.webhook.rotate-secret',
  response: WebhookWithSecret,
  uses: ['receivers'],
  note:
    'The previous secret also signs for 24 hours: `webhook-signature` then has both signatures, separated by ' +
    'a space.',
  run: ({ actor, id, at }) => rotate(actor, id, at),
});
