import { endpoint } from '#lib/http/endpoint.ts';
import * as programKeys from '#lib/people/user/program-key.ts';

export const GET = endpoint({
  right: 'staff',
  response: programKeys.ProgramKey,
  note: 'The key that calls, with its company and its role, and without any right. 403 for a user, who is none.',
  run: ({ actor }) => programKeys.getOwn(actor),
});
