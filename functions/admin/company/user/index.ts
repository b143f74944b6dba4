import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import * as companyUsers from '#lib/people/user/company-user.ts';
import { NewCompanyUser } from '#lib/people/user/input.ts';
import { CompanyUser } from '#lib/people/user/user.ts';

export const GET = listing({
  right: 'admin.company.user.index',
  query: companyUsers.CompanyUserList,
  rows: CompanyUser,
  run: ({ actor, query }) => companyUsers.list(actor, query),
});

export const POST = endpoint({
  right: 'admin.company.user.store',
  body: NewCompanyUser,
  response: CompanyUser,
  run: ({ actor, body, at }) => companyUsers.create(actor, body, at),
});
