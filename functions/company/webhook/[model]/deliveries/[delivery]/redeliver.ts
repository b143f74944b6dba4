import { endpoint } from '#lib/http/endpoint.ts';
import { BY_HAND, DeliveryPlace, redeliver } from '#lib/webhooks/delivery/ask.ts';
import { Delivery } from '#lib/webhooks/delivery/record.ts';
import { QUEUE } from '#lib/webhooks/message.ts';

export const POST = endpoint({
  right: 'company.webhook.redeliver',
  limit: BY_HAND,
  params: DeliveryPlace,
  answers: Delivery,
  uses: [`queue:${QUEUE}`],
  note: 'With the newest revision and the same `webhook-id`; its tries begin anew.',
  run: ({ actor, params, at }) => redeliver(actor, params, at),
});
