import { Confirmation } from '#lib/http/answer.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { UserEmbeds } from '#lib/people/administrator.ts';
import * as companyUsers from '#lib/people/company-user.ts';
import { User } from '#lib/people/user.ts';
import { CompanyUserEdit } from '#lib/people/user-input.ts';

export const GET = endpoint({
  right: 'admin.company.user.show',
  query: UserEmbeds,
  answers: User,
  run: ({ actor, id, query }) => companyUsers.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'admin.company.user.update',
  body: CompanyUserEdit,
  answers: User,
  note:
    'What is left out stays as it is; what is blank or null is emptied. An empty `new_password` is none. ' +
    'The company is not in the form, so the role must be of it; the role may be deleted.',
  run: ({ actor, id, body, at }) => companyUsers.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'admin.company.user.destroy',
  answers: Confirmation,
  run: ({ actor, id, at }) => companyUsers.remove(actor, id, at),
});
