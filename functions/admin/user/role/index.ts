import { sixEndpoints } from '#lib/http/six-endpoints.ts';
import { RoleInput } from '#lib/people/role/input.ts';
import { Role } from '#lib/people/role/record.ts';
import * as roles from '#lib/people/role/role.ts';

const { list, get, create, edit, remove, restore } = roles;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'admin.user.role',
    about:
      "Roles. A right is the path with dots and the operation; `company.*` grants all. Administrators can't " +
      "grant rights they lack, nor change roles with such rights. A role in use can't be deleted.",
    query: roles.List,
    embeds: roles.Embeds,
    body: RoleInput,
    response: Role,
  },
  { list, get, create, edit, remove, restore },
);
