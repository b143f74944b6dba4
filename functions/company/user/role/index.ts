import { sixEndpoints } from '#lib/http/six-endpoints.ts';
import { FamilyRoleInput } from '#lib/people/role/input.ts';
import { Role } from '#lib/people/role/record.ts';
import * as roles from '#lib/people/role/role.ts';

const { list, get, create, edit, remove, restore } = roles;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.user.role',
    about:
      'Roles of employees of the family. `company.trade.sale.*` grants all rights with that prefix: selling ' +
      'in the name of another user (`.creator`), uploading offline sales (`.late`) and handling refused ' +
      'sales (`.refused.*`); to grant less, list rights individually.',
    query: roles.FamilyRoleList,
    embeds: roles.Embeds,
    body: FamilyRoleInput,
    response: Role,
  },
  { list, get, create, edit, remove, restore },
);
