import { endpoint } from '#lib/http/endpoint.ts';
import * as partnerUsers from '#lib/people/user/partner-user.ts';

export const DELETE = endpoint({
  right: 'admin.partner.user.restore',
  run: ({ actor, id, at }) => partnerUsers.restore(actor, id, at),
});
