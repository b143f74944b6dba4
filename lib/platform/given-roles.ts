import type * as z from 'zod';
import { givenRoleOf, type RoleOwner } from '#lib/people/role/given-role.ts';
import { StoredUser, users } from '#lib/people/user/user.ts';
import { findRecord } from '#lib/records/record.ts';
import { replacement } from '#lib/records/record-writes.ts';
import { vouchRecord } from '#lib/records/stored.ts';
import { PLATFORM, partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Instant } from '#lib/values/time.ts';

type User = z.input<typeof StoredUser>;

/** Users in a step. */
const STEP = 100;

/**
 * Gives their role to the directors, partners' users and super-administrators who are older than such roles
 * are: what a deployment does once, and any number of times. Answers with how many there were. Decisions, 3.
 */
export async function giveRoles(at: Instant): Promise<number> {
  let given = 0;
  for await (const items of walk(partition(users.type, PLATFORM), STEP)) {
    for (const item of items) {
      if (await giveRole(vouchRecord(StoredUser, item).id, at)) given += 1;
    }
  }
  return given;
}

// No edit: the record's `updated_at` is for what people change.
async function giveRole(id: number, at: Instant): Promise<boolean> {
  return retryOnContention(async () => {
    const user = await findRecord({ type: users, home: PLATFORM, id });
    const owner = user && user.role_id === null ? ownerFor(user) : undefined;
    if (!user || !owner) return false;
    const role_id = await givenRoleOf(owner, at);
    await transact(replacement(users, PLATFORM, user, { ...user, role_id }));
    return true;
  });
}

function ownerFor({ type, family_id, partner_id }: User): RoleOwner | undefined {
  if (type === 'super_admin') return { type };
  if (type === 'director' && family_id !== null) return { type, familyId: family_id };
  return type === 'partner' && partner_id !== null ? { type, partnerId: partner_id } : undefined;
}
