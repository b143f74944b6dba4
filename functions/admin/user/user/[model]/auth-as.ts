import { endpoint } from '#lib/http/endpoint.ts';
import { authAs } from '#lib/people/user/administrator.ts';
import { Token } from '#lib/people/user/session.ts';

export const PATCH = endpoint({
  right: 'admin.user.user.auth-as',
  response: Token,
  run: ({ actor, id, at }) => authAs(actor, id, at),
});
