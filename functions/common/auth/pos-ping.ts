import { PosStanding, posPing } from '#lib/cash/pos.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'at-desk',
  answers: PosStanding,
  run: ({ actor, at }) => posPing(actor, at),
});
