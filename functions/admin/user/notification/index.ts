import { Confirmation } from '#lib/http/answer.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { BroadcastInput, create } from '#lib/people/broadcast.ts';

export const POST = endpoint({
  right: 'admin.user.notification.store',
  body: BroadcastInput,
  answers: Confirmation,
  uses: ['queue:broadcast'],
  run: ({ actor, body, at }) => create(actor, body, at),
});
