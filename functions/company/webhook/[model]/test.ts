import { endpoint } from '#lib/http/endpoint.ts';
import { ON_DEMAND_LIMIT, sendTest } from '#lib/webhooks/delivery/on-demand.ts';
import { Delivery } from '#lib/webhooks/delivery/record.ts';

export const POST = endpoint({
  right: 'company.webhook.test',
  limit: ON_DEMAND_LIMIT,
  response: Delivery,
  uses: ['receivers'],
  note: 'Sends `webhook.test` once, immediately, and waits up to ten seconds for the receiver.',
  run: ({ actor, id, at }) => sendTest(actor, id, at),
});
