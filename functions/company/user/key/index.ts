import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { ProgramKeyInput } from '#lib/people/user/key-input.ts';
import * as programKeys from '#lib/people/user/program-key.ts';

export const GET = listing({
  right: 'company.user.key.index',
  query: programKeys.ProgramKeyList,
  rows: programKeys.ProgramKey,
  run: ({ actor, query }) => programKeys.list(actor, query),
});

export const POST = endpoint({
  right: 'company.user.key.store',
  body: ProgramKeyInput,
  response: programKeys.NewProgramKey,
  note:
    'The key is shown once. Sent as `Authorization: Bearer rk_…` it is a user of that role: it writes in its ' +
    'company and reaches that, `company_ids`, and exactly the desks and warehouses named. Who makes it has ' +
    'all that it gets; an administrator who acts as another makes none. `Idempotency-Key` is not heeded.',
  run: ({ actor, body, at }) => programKeys.create(actor, body, at),
});
