import { endpoint } from '#lib/http/endpoint.ts';
import * as companyUsers from '#lib/people/user/company-user.ts';

export const DELETE = endpoint({
  right: 'admin.company.user.restore',
  run: ({ actor, id, at }) => companyUsers.restore(actor, id, at),
});
