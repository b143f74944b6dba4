import { CurrentUser, editProfile, getProfile } from '#lib/current-user/profile.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { ProfileEdit } from '#lib/people/user/input.ts';
import { Token } from '#lib/people/user/session.ts';

export const GET = endpoint({
  right: 'signed-in',
  response: CurrentUser,
  note:
    'The company includes `balance` (of its tariff; null without one), `main_cashbox` (with `balances` if the ' +
    'desk is accessible to the user), `currencies` (its four rates), and `cashbox_rate` (that of its sale ' +
    'currency); `logo` is always null. `latitude`, `longitude` and `vat_percent` are strings or null, `abc_segment_*` ' +
    'percentages; `industry_id` is not a reference.',
  run: ({ actor, at }) => getProfile(actor, at),
});

export const PUT = endpoint({
  right: 'signed-in',
  body: ProfileEdit,
  response: Token,
  note: 'Fields left out keep their value; blank or null clears it. An empty `new_password` leaves it unchanged.',
  run: ({ actor, body, at }) => editProfile(actor, body, at),
});
