import { endpoint } from '#lib/http/endpoint.ts';
import { PartnerUserEdit } from '#lib/people/user/input.ts';
import * as partnerUsers from '#lib/people/user/partner-user.ts';
import { User } from '#lib/people/user/user.ts';
import { UserEmbeds } from '#lib/people/user/user-kind.ts';

export const GET = endpoint({
  right: 'admin.partner.user.show',
  query: UserEmbeds,
  response: User,
  run: ({ actor, id, query }) => partnerUsers.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'admin.partner.user.update',
  body: PartnerUserEdit,
  response: User,
  note:
    'Fields of the profile keep their value if left out. An empty `new_password` leaves it unchanged. A new ' +
    'password and a move to another partner end all sessions.',
  run: ({ actor, id, body, at }) => partnerUsers.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'admin.partner.user.destroy',
  run: ({ actor, id, at }) => partnerUsers.remove(actor, id, at),
});
