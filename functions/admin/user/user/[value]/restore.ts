import { endpoint } from '#lib/http/endpoint.ts';
import * as administrators from '#lib/people/user/administrator.ts';

export const DELETE = endpoint({
  right: 'admin.user.user.restore',
  run: ({ actor, id, at }) => administrators.restore(actor, id, at),
});
