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
  note: 'The key itself stays: whoever has lost it makes another. One that has expired may get a new term.',
  run: ({ actor, id, body, at }) => programKeys.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.user.key.destroy',
  note: 'For good: calls with it are 401 from then on. What it made still names it.',
  run: ({ actor, id, at }) => programKeys.remove(actor, id, at),
});
