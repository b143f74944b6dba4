import { CurrentUser, editProfile, getProfile } from '#lib/current-user/profile.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { ProfileEdit } from '#lib/people/user/input.ts';
import { Token } from '#lib/people/user/session.ts';

export const GET = endpoint({
  right: 'signed-in',
  response: CurrentUser,
  note:
    'The company has `balance` (of its tariff; null without one), `main_cashbox` (with `balances` if the desk ' +
    'is open to the user), `currencies` (its four rates) and `cashbox_rate` (that of the currency it ' +
    'sells in), and no `logo` yet. `latitude`, `longitude` and `vat_percent` are strings, `abc_segment_*` ' +
    'percents; `industry_id` points at nothing here.',
  run: ({ actor, at }) => getProfile(actor, at),
});

export const PUT = endpoint({
  right: 'signed-in',
  body: ProfileEdit,
  response: Token,
  note: 'What is left out stays as it is; what is blank or null is emptied. An empty `new_password` is none.',
  run: ({ actor, body, at }) => editProfile(actor, body, at),
});
