import * as z from 'zod';
import { among } from '#lib/auth/account-manager.ts';
import { Company, companies } from '#lib/people/company/record.ts';
import { Profile } from '#lib/people/user/colleague.ts';
import { User, users } from '#lib/people/user/user.ts';
import { defineSync, readHeads, type SyncDefinitions } from '#lib/sync/definition/definition.ts';
import { familyTenant, partition, type Tenant } from '#lib/table/keys.ts';
import { rowsAfter } from '#lib/table/list/rows-after.ts';

/** A company in its family's sync, without fields of the platform. Part 4, 4.1, 2. */
const CopiedCompany = Company.pick({
  id: true,
  parent_id: true,
  name: true,
  company_name: true,
  inn: true,
  address: true,
  phone: true,
  is_deleted: true,
});

/** A user in a sync: the name shown as the author of records. */
const CopiedUser = User.pick({ id: true, type: true, is_deleted: true }).extend(
  Profile.pick({ first_name: true, last_name: true, full_name: true }).shape,
);

const StoredUser = z.looseObject({ person: Profile, family_id: z.int().nullable() });

/** Sync of companies and users. */
export const peopleSync = {
  'company.company': () =>
    defineSync(companies, CopiedCompany, { reach: (actor) => among('id', actor.companies) }),
  'user.user': () =>
    defineSync(users, CopiedUser, {
      reach: (actor) => among('company_id', actor.companies),
      find: async (tenant, requested) => {
        const heads = await readHeads(users.type, tenant, requested);
        return heads.map((head) => head && (hasLeft(tenant, head) ? { ...head, is_deleted: true } : head));
      },
      walk: async (tenant, request) => {
        const found = await rowsAfter(partition(users.type, tenant), request);
        return { ...found, rows: found.rows.filter((row) => !hasLeft(tenant, row)) };
      },
      show: async (heads) =>
        heads.map((head) => {
          const { person } = StoredUser.parse(head);
          return { record: { ...head, ...person }, revision: head.version };
        }),
    }),
} satisfies SyncDefinitions;

/** Returns whether a user has moved to another family: the item left behind counts as deleted. */
function hasLeft(tenant: Tenant, user: object): boolean {
  const { family_id } = StoredUser.parse(user);
  return family_id === null || familyTenant(family_id) !== tenant;
}
