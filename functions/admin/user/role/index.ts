import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { RoleInput } from '#lib/people/role/input.ts';
import { Role } from '#lib/people/role/record.ts';
import * as roles from '#lib/people/role/role.ts';

export const GET = listing({
  right: 'admin.user.role.index',
  query: roles.List,
  rows: Role,
  run: ({ actor, query }) => roles.list(actor, query),
});

export const POST = endpoint({
  right: 'admin.user.role.store',
  body: RoleInput,
  response: Role,
  run: ({ actor, body, at }) => roles.create(actor, body, at),
});
