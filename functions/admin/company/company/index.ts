import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import * as companies from '#lib/people/company/company.ts';
import { Company, CompanyWithParent } from '#lib/people/company/record.ts';
import { setUpCompany } from '#lib/platform/provisioning.ts';

export const GET = listing({
  right: 'admin.company.company.index',
  query: companies.List,
  rows: CompanyWithParent,
  run: ({ actor, query }) => companies.list(actor, query),
});

export const POST = endpoint({
  right: 'admin.company.company.store',
  body: companies.CompanyInput,
  response: Company,
  run: ({ actor, body, at }) => setUpCompany(actor, body, at),
});
