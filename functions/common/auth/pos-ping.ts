import { PosState, posPing } from '#lib/cash/desk/pos.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'at-desk',
  response: PosState,
  note:
    "For an ended session `is_active` is false; it can't be revived. After a logout: 401. All other " +
    'operations respond 401 to the token of an ended session.',
  run: ({ actor, at }) => posPing(actor, at),
});
