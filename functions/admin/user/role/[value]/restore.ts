import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';
import * as roles from '#lib/people/role/role.ts';

export const DELETE = endpoint({
  right: 'admin.user.role.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => roles.restore(actor, id, at),
});
