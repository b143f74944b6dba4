import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import * as companyUsers from '#lib/people/user/company-user.ts';
import { NewColleague } from '#lib/people/user/input.ts';
import { CompanyUser } from '#lib/people/user/user.ts';

export const GET = listing({
  right: 'company.user.user.index',
  query: companyUsers.ColleagueList,
  rows: CompanyUser,
  run: ({ actor, query }) => companyUsers.list(actor, query),
});

export const POST = endpoint({
  right: 'company.user.user.store',
  body: NewColleague,
  response: CompanyUser,
  run: ({ actor, body, at }) => companyUsers.create(actor, body, at),
});
