import { endpoint } from '#lib/http/endpoint.ts';
import { ProgramKeyInput } from '#lib/people/user/key-input.ts';
import * as programKeys from '#lib/people/user/program-key.ts';

export const GET = endpoint({
  right: 'company.user.key.show',
  query: programKeys.ProgramKeyEmbeds,
  response: programKeys.ProgramKey,
  run: ({ actor, id, query }) => programKeys.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.user.key.update',
  body: ProgramKeyInput,
  response: programKeys.ProgramKey,
  note: 'The secret stays the same; if it is lost, create another key. An expired key can get a new `expires_at`.',
  run: ({ actor, id, body, at }) => programKeys.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.user.key.destroy',
  note: 'Permanent: requests with the key get 401 from then on. Records created by it keep its id.',
  run: ({ actor, id, at }) => programKeys.remove(actor, id, at),
});
