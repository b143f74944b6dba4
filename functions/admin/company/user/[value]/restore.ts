import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';
import * as companyUsers from '#lib/people/user/company-user.ts';

export const DELETE = endpoint({
  right: 'admin.company.user.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => companyUsers.restore(actor, id, at),
});
