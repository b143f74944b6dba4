import { endpoint } from '#lib/http/endpoint.ts';
import { Token } from '#lib/people/session.ts';
import { ProfileEdit } from '#lib/people/user-input.ts';
import { CurrentUser, editProfile, getProfile } from '#lib/system/profile.ts';

export const GET = endpoint({
  right: 'signed-in',
  answers: CurrentUser,
  run: ({ actor }) => getProfile(actor),
});

export const PUT = endpoint({
  right: 'signed-in',
  body: ProfileEdit,
  answers: Token,
  run: ({ actor, body, at }) => editProfile(actor, body, at),
});
