import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';
import * as administrators from '#lib/people/user/administrator.ts';

export const DELETE = endpoint({
  right: 'admin.user.user.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => administrators.restore(actor, id, at),
});
