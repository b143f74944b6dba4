import { getOwnKey, OwnKey } from '#lib/current-user/own-key.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'staff',
  response: OwnKey,
  note:
    'The calling key with its company, role and rights, and the settings needed before the first call; ' +
    'requires no right. 403 for users.',
  run: ({ actor, at }) => getOwnKey(actor, at),
});
