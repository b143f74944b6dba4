import { listing } from '#lib/http/listing.ts';
import * as companies from '#lib/people/company/of-partner.ts';
import { CompanyWithParent } from '#lib/people/company/record.ts';

export const GET = listing({
  right: 'partner.company.index',
  query: companies.List,
  rows: CompanyWithParent,
  run: ({ actor, query }) => companies.list(actor, query),
});
