import { PosCredentials, PosToken, posLogin } from '#lib/cash/desk/pos.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { FAILURES_FROM_ADDRESS } from '#lib/people/user/session.ts';

export const POST = endpoint({
  right: 'anyone',
  limit: FAILURES_FROM_ADDRESS,
  body: PosCredentials,
  response: PosToken,
  note:
    'For users of companies. A desk has one session: a new sign-in ends the previous one. `cashbox_id` is a ' +
    'main or sale desk accessible to the user. The token gives access to money at this desk only; other desks ' +
    'respond as if inaccessible. Failures count toward the limit of the regular sign-in.',
  run: ({ body, ip, at }) => posLogin(body, ip, at),
});
