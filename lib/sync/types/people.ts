import * as z from 'zod';
import { among } from '#lib/auth/account-manager.ts';
import { Company, companies } from '#lib/people/company/record.ts';
import { Profile, User, users } from '#lib/people/user/user.ts';
import { defineSync, readHeads, type SyncDefinitions } from '#lib/sync/definition/definition.ts';
import { familyTenant, partition, type Tenant } from '#lib/table/keys.ts';
import { rowsAfter } from '#lib/table/list/rows-after.ts';

/** A company as its family's copies have it: without what the platform alone knows. Part 4, 4.1, 2. */
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

/** A user as copies have one: a name for what was made. */
const CopiedUser = User.pick({ id: true, type: true, is_deleted: true }).extend(
  Profile.pick({ first_name: true, last_name: true, full_name: true }).shape,
);

const Kept = z.looseObject({ person: Profile, family_id: z.int().nullable() });

/** The copies of a family's companies and people. */
export const peopleSync = {
  'company.company': () =>
    defineSync(companies, CopiedCompany, { reach: (actor) => among('id', actor.companies) }),
  'user.user': () =>
    defineSync(users, CopiedUser, {
      reach: (actor) => among('company_id', actor.companies),
      find: async (tenant, wanted) => {
        const heads = await readHeads(users.type, tenant, wanted);
        return heads.map((head) => head && (hasLeft(tenant, head) ? { ...head, is_deleted: true } : head));
      },
      walk: async (tenant, asked) => {
        const found = await rowsAfter(partition(users.type, tenant), asked);
        return { ...found, rows: found.rows.filter((row) => !hasLeft(tenant, row)) };
      },
      show: async (heads) =>
        heads.map((head) => {
          const { person } = Kept.parse(head);
          return { record: { ...head, ...person }, revision: head.version };
        }),
    }),
} satisfies SyncDefinitions;

/** Tells whether a user has moved to another family: who has leaves an item behind, and counts as deleted. */
function hasLeft(tenant: Tenant, user: object): boolean {
  const { family_id } = Kept.parse(user);
  return family_id === null || familyTenant(family_id) !== tenant;
}
