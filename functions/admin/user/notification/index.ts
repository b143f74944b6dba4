import { endpoint } from '#lib/http/endpoint.ts';
import { BroadcastInput, create } from '#lib/people/broadcast.ts';

export const POST = endpoint({
  right: 'admin.user.notification.store',
  body: BroadcastInput,
  uses: ['queue:broadcast'],
  note:
    'Whom it is for is decided as it is delivered, in the order of user ids: users created meanwhile are ' +
    'told, deleted ones are not unless `show[]` says so. `user_query` takes `filter[…]` and `show[]`, and ' +
    'refuses what chooses nobody (`sort[]`, `with[]`, `page`, `page-size`). A notification shows the time ' +
    'of the broadcast.',
  run: ({ actor, body, at }) => create(actor, body, at),
});
