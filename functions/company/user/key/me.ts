import { endpoint } from '#lib/http/endpoint.ts';
import * as programKeys from '#lib/people/user/program-key.ts';

export const GET = endpoint({
  right: 'staff',
  response: programKeys.ProgramKey,
  note: 'The calling key with its company and role; requires no right. 403 for users.',
  run: ({ actor }) => programKeys.getOwn(actor),
});
