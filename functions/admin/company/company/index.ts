import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import * as companies from '#lib/people/company.ts';
import { CompanyInput } from '#lib/people/company-input.ts';

export const GET = listing({
  right: 'admin.company.company.index',
  query: companies.CompanyList,
  rows: companies.CompanyWithParent,
  run: ({ actor, query, at }) => companies.list(actor, query, at),
});

export const POST = endpoint({
  right: 'admin.company.company.store',
  body: CompanyInput,
  answers: companies.Company,
  run: ({ actor, body, at }) => companies.create(actor, body, at),
});
