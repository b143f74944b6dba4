import { endpoint } from '#lib/http/endpoint.ts';
import { BY_HAND, sendTest } from '#lib/webhooks/delivery/ask.ts';
import { Delivery } from '#lib/webhooks/delivery/record.ts';

export const POST = endpoint({
  right: 'company.webhook.test',
  limit: BY_HAND,
  answers: Delivery,
  uses: ['receivers'],
  note: 'Sends `webhook.test` now, once, and waits for the receiver, at most ten seconds.',
  run: ({ actor, id, at }) => sendTest(actor, id, at),
});
