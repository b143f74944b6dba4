import { endpoint } from '#lib/http/endpoint.ts';
import { CompanyWithParent } from '#lib/people/company.ts';
import * as companies from '#lib/people/partner-company.ts';

export const GET = endpoint({
  right: 'partner.company.show',
  query: companies.PartnerCompanyEmbeds,
  answers: CompanyWithParent,
  run: ({ actor, id, query }) => companies.get(actor, id, query),
});
