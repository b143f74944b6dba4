import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import * as administrators from '#lib/people/administrator.ts';
import { User } from '#lib/people/user.ts';
import { NewAdministrator } from '#lib/people/user-input.ts';

export const GET = listing({
  right: 'admin.user.user.index',
  query: administrators.UserList,
  rows: User,
  run: ({ query, at }) => administrators.list(query, at),
});

export const POST = endpoint({
  right: 'admin.user.user.store',
  body: NewAdministrator,
  answers: administrators.CreatedUser,
  run: ({ actor, body, at }) => administrators.create(actor, body, at),
});
