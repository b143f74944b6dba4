import { companies } from '#lib/people/company/record.ts';
import { roles } from '#lib/people/role/record.ts';
import { users } from '#lib/people/user/user.ts';
import { findRecord } from '#lib/records/record.ts';
import { replacement } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Instant } from '#lib/values/time.ts';

/*
 * Erasure of a family's users, roles and companies on the platform: emptied rather than deleted, as other
 * records refer to their ids. Emptied users are soft-deleted, so they can't sign in.
 */

const NO_PERSON = { first_name: null, last_name: null, position: null, birth_date: null, gender: null };

/** Removes a user's personal data; idempotent. */
export async function emptyUser(id: number, at: Instant): Promise<void> {
  await retryOnContention(async () => {
    const before = await findRecord({ type: users, tenant: PLATFORM, id });
    const username = before?.type === 'key' ? '' : `erased-${id}`;
    if (!before || (before.is_deleted && before.username === username && before.phone === null)) return;
    const after = {
      ...before,
      ...{ username, password_hash: '', session: before.session + 1, is_deleted: true, updated_at: at },
      ...{ phone: null, pinfl: null, telephony_sip_number: null, person: { ...NO_PERSON, full_name: '' } },
    };
    await transact(replacement(users, PLATFORM, before, after));
  });
}

/** Returns the name of an emptied company or role. */
export function nameOfEmpty(id: number): string {
  return `№ ${id}`;
}

/** Removes a company's identifying data; idempotent. */
export async function emptyCompany(id: number, at: Instant): Promise<void> {
  await retryOnContention(async () => {
    const before = await findRecord({ type: companies, tenant: PLATFORM, id });
    if (!before || before.name === nameOfEmpty(id)) return;
    const { invoice_settings: _, ...rest } = before;
    const after = {
      ...rest,
      ...{ name: nameOfEmpty(id), company_name: null, logo: null, inn: null, mfo: null, address: null },
      ...{
        latitude: null,
        longitude: null,
        comment: null,
        phone: null,
        director_full_name: null,
        bank: null,
      },
      ...{ payment_account: null, agreement_number: null, agreement_date: null, field_of_activity: null },
      ...{ is_deleted: true, updated_at: at },
    };
    await transact(replacement(companies, PLATFORM, before, after));
  });
}

/** Erases the name and rights of a role. An erased role is left unchanged. */
export async function emptyRole(id: number, at: Instant): Promise<void> {
  await retryOnContention(async () => {
    const before = await findRecord({ type: roles, tenant: PLATFORM, id });
    if (!before || before.name === nameOfEmpty(id)) return;
    const after = { ...before, name: nameOfEmpty(id), description: null, new_routes: [], updated_at: at };
    await transact(replacement(roles, PLATFORM, before, after));
  });
}
