import { endpoint } from '#lib/http/endpoint.ts';
import { RoleInput } from '#lib/people/role/input.ts';
import { Role } from '#lib/people/role/record.ts';
import * as roles from '#lib/people/role/role.ts';

export const GET = endpoint({
  right: 'admin.user.role.show',
  query: roles.Embeds,
  response: Role,
  run: ({ actor, id, query }) => roles.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'admin.user.role.update',
  body: RoleInput,
  response: Role,
  run: ({ actor, id, body, at }) => roles.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'admin.user.role.destroy',
  run: ({ actor, id, at }) => roles.remove(actor, id, at),
});
