import { endpoint } from '#lib/http/endpoint.ts';
import { BroadcastInput, create } from '#lib/people/broadcast.ts';

export const POST = endpoint({
  right: 'admin.user.notification.store',
  body: BroadcastInput,
  uses: ['queue:broadcast'],
  note:
    'Recipients are selected during delivery, in the order of user ids: users created in the meantime are ' +
    'included, deleted users only with `show[]`. `user_query` takes `filter[…]` and `show[]`; parameters that ' +
    "don't select users (`sort[]`, `with[]`, `page`, `page-size`) are rejected. A notification shows the time " +
    'of the broadcast.',
  run: ({ actor, body, at }) => create(actor, body, at),
});
