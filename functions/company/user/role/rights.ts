import { endpoint } from '#lib/http/endpoint.ts';
import { listRights, RightList } from '#lib/people/role/rights.ts';

export const GET = endpoint({
  right: 'company.user.role.index',
  response: RightList,
  note:
    'Returns every right that a role may give, with the rights that it includes in `implies`, and ready sets ' +
    'to make a role of. Names are in all languages.',
  run: () => listRights(['company']),
});
