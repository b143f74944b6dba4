import * as z from 'zod';
import { among } from '#lib/access/keeper.ts';
import { Company, companies } from '#lib/people/company/record.ts';
import { Profile, User, users } from '#lib/people/user/user.ts';
import { type CopiedNoun, copyOf } from '#lib/sync/copy/copy.ts';

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
export const peopleCopies: readonly CopiedNoun[] = [
  copyOf(companies, CopiedCompany, { reach: (actor) => among('id', actor.companies) }),
  copyOf(users, CopiedUser, {
    reach: (actor) => among('company_id', actor.companies),
    show: async (heads, { actor }) =>
      heads.map((head) => {
        const { person, family_id } = Kept.parse(head);
        // Who has moved to another family leaves a copy behind, which tells so.
        if (family_id !== actor.familyId) return undefined;
        return { record: { ...head, ...person }, revision: head.version };
      }),
  }),
];
