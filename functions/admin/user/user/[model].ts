import * as z from 'zod';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/response.ts';
import * as administrators from '#lib/people/user/administrator.ts';
import { UserEdit } from '#lib/people/user/input.ts';
import { Token } from '#lib/people/user/session.ts';
import { User } from '#lib/people/user/user.ts';
import { UserEmbeds } from '#lib/people/user/user-kind.ts';

export const GET = endpoint({
  right: 'admin.user.user.show',
  query: UserEmbeds,
  response: User,
  run: ({ actor, id, query }) => administrators.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'admin.user.user.update',
  body: UserEdit,
  response: z.union([Token, Confirmation]),
  note: 'Fields left out keep their value; blank or null clears it. An empty `new_password` leaves it unchanged.',
  run: ({ actor, id, body, at }) => administrators.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'admin.user.user.destroy',
  run: ({ actor, id, at }) => administrators.remove(actor, id, at),
});
