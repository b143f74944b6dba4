import { endpoint } from '#lib/http/endpoint.ts';
import { logout } from '#lib/people/user/session.ts';

export const POST = endpoint({
  right: 'signed-in',
  note: 'Ends all tokens of the user; of a token of `auth-as` that token alone.',
  run: ({ actor, at }) => logout(actor, at),
});
