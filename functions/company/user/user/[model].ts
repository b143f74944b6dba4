import { endpoint } from '#lib/http/endpoint.ts';
import * as companyUsers from '#lib/people/user/company-user.ts';
import { ColleagueEdit } from '#lib/people/user/input.ts';
import { Dismissal } from '#lib/people/user/made-keys.ts';
import { CompanyUser } from '#lib/people/user/user.ts';
import { UserEmbeds } from '#lib/people/user/user-kind.ts';

export const GET = endpoint({
  right: 'company.user.user.show',
  query: UserEmbeds,
  response: CompanyUser,
  run: ({ actor, id, query }) => companyUsers.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.user.user.update',
  body: ColleagueEdit,
  response: CompanyUser,
  note:
    'Fields of the profile, `cashbox_ids` and `stock_ids` keep their value if left out. An empty ' +
    '`new_password` leaves it unchanged. A new password and a move to another family end all sessions.',
  run: ({ actor, id, body, at }) => companyUsers.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.user.user.destroy',
  response: Dismissal,
  note: '`keys` are the active API keys created by the user: they remain valid after the deletion.',
  run: ({ actor, id, at, locale }) => companyUsers.remove(actor, id, { at, locale }),
});
