import { sixEndpoints } from '#lib/http/six-endpoints.ts';
import { FamilyRoleInput } from '#lib/people/role/input.ts';
import { Role } from '#lib/people/role/record.ts';
import * as roles from '#lib/people/role/role.ts';

const { list, get, create, edit, remove, restore } = roles;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.user.role',
    query: roles.FamilyRoleList,
    embeds: roles.Embeds,
    body: FamilyRoleInput,
    response: Role,
  },
  { list, get, create, edit, remove, restore },
);
