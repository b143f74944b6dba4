import { endpoint } from '#lib/http/endpoint.ts';
import { DeliveryParams, ON_DEMAND_LIMIT, redeliver } from '#lib/webhooks/delivery/on-demand.ts';
import { Delivery } from '#lib/webhooks/delivery/record.ts';
import { QUEUE } from '#lib/webhooks/message.ts';

export const POST = endpoint({
  right: 'company.webhook.redeliver',
  limit: ON_DEMAND_LIMIT,
  params: DeliveryParams,
  response: Delivery,
  uses: [`queue:${QUEUE}`],
  note: 'Sends the current revision with the same `webhook-id`; attempts start over.',
  run: ({ actor, params, at }) => redeliver(actor, params, at),
});
