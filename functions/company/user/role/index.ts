import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { FamilyRoleInput } from '#lib/people/role/input.ts';
import { Role } from '#lib/people/role/record.ts';
import * as roles from '#lib/people/role/role.ts';

export const GET = listing({
  right: 'company.user.role.index',
  query: roles.FamilyRoleList,
  rows: Role,
  run: ({ actor, query }) => roles.list(actor, query),
});

export const POST = endpoint({
  right: 'company.user.role.store',
  body: FamilyRoleInput,
  response: Role,
  run: ({ actor, body, at }) => roles.create(actor, body, at),
});
