import { endpoint } from '#lib/http/endpoint.ts';
import * as companies from '#lib/people/company/company.ts';

export const DELETE = endpoint({
  right: 'admin.company.company.restore',
  run: ({ actor, id, at }) => companies.restore(actor, id, at),
});
