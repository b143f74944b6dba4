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
    'The key is returned only once. Sent as `Authorization: Bearer rk_…` it acts as a user of that role: it ' +
    'writes in its company and has access to it, to `company_ids`, and to exactly the desks and warehouses ' +
    'listed. The caller must hold everything granted to the key; not allowed during impersonation. ' +
    '`Idempotency-Key` is ignored.',
  run: ({ actor, body, at }) => programKeys.create(actor, body, at),
});
