import { endpoint } from '#lib/http/endpoint.ts';
import * as roles from '#lib/people/role/role.ts';

export const DELETE = endpoint({
  right: 'company.user.role.restore',
  run: ({ actor, id, at }) => roles.restore(actor, id, at),
});
