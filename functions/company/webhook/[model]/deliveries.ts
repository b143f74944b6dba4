import { listing } from '#lib/http/listing.ts';
import { DeliveryList, listDeliveries } from '#lib/webhooks/delivery/list.ts';
import { Delivery } from '#lib/webhooks/delivery/record.ts';

export const GET = listing({
  right: 'company.webhook.deliveries',
  query: DeliveryList,
  rows: Delivery,
  note:
    'Newest first. Delivered ones are kept for 3 days, failed ones for 30; the latest ten thousand of each ' +
    'status are listed. `status_code` is null if the receiver did not respond; `answer` then has the reason.',
  run: ({ actor, id, query, at }) => listDeliveries(actor, id, query, at),
});
