import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';
import * as companies from '#lib/people/company/company.ts';

export const DELETE = endpoint({
  right: 'admin.company.company.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => companies.restore(actor, id, at),
});
