import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import * as administrators from '#lib/people/user/administrator.ts';
import { NewAdministrator } from '#lib/people/user/input.ts';
import { User } from '#lib/people/user/user.ts';

export const GET = listing({
  right: 'admin.user.user.index',
  query: administrators.UserList,
  rows: User,
  run: ({ actor, query }) => administrators.list(actor, query),
});

export const POST = endpoint({
  right: 'admin.user.user.store',
  body: NewAdministrator,
  response: administrators.CreatedUser,
  run: ({ actor, body, at }) => administrators.create(actor, body, at),
});
