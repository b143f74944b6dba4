import { endpoint } from '#lib/http/endpoint.ts';
import { logout } from '#lib/people/user/session.ts';

export const POST = endpoint({
  right: 'signed-in',
  note: 'Revokes all tokens of the user; a token of `auth-as` revokes only itself.',
  run: ({ actor, at }) => logout(actor, at),
});
