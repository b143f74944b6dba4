import { PosState, posPing } from '#lib/cash/desk/pos.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'at-desk',
  response: PosState,
  note:
    'Of a session that has ended: `is_active` is false, and nothing revives it. After a logout: 401. ' +
    'Everywhere else the token of a session that has ended is 401.',
  run: ({ actor, at }) => posPing(actor, at),
});
