import { endpoint } from '#lib/http/endpoint.ts';
import * as companies from '#lib/people/company/of-partner.ts';
import { CompanyWithParent } from '#lib/people/company/record.ts';

export const GET = endpoint({
  right: 'partner.company.show',
  query: companies.Embeds,
  response: CompanyWithParent,
  run: ({ actor, id, query }) => companies.get(actor, id, query),
});
