import { endpoint } from '#lib/http/endpoint.ts';
import * as companies from '#lib/people/company/company.ts';
import { Company, CompanyWithParent } from '#lib/people/company/record.ts';

export const GET = endpoint({
  right: 'admin.company.company.show',
  query: companies.Embeds,
  response: CompanyWithParent,
  run: ({ actor, id, query }) => companies.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'admin.company.company.update',
  body: companies.CompanyInput,
  response: Company,
  run: ({ actor, id, body, at }) => companies.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'admin.company.company.destroy',
  run: ({ actor, id, at }) => companies.remove(actor, id, at),
});
