import { PosCredentials, PosToken, posLogin } from '#lib/cash/desk/pos.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { FAILURES_FROM_ADDRESS } from '#lib/people/user/session.ts';

export const POST = endpoint({
  right: 'anyone',
  limit: FAILURES_FROM_ADDRESS,
  body: PosCredentials,
  response: PosToken,
  note:
    'For users of companies. A desk has one session: a second sign-in ends the first. `cashbox_id` is a ' +
    'desk that is open to the user, of either type. The token moves money at this desk alone: to it another one ' +
    'is as good as closed. Failures count as at the sign-in.',
  run: ({ body, ip, at }) => posLogin(body, ip, at),
});
