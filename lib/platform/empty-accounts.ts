import { companies } from '#lib/people/company/record.ts';
import { users } from '#lib/people/user/user.ts';
import { findRecord } from '#lib/records/record.ts';
import { replacement } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Instant } from '#lib/values/time.ts';

/*
 * What the platform has of a family's people and companies: emptied, and not removed, as its own records name
 * their ids. Whoever is emptied is deleted, so nobody signs in any more.
 */

const NO_PERSON = { first_name: null, last_name: null, position: null, birth_date: null, gender: null };

/** Empties a user of all that tells who it is; one that is empty is left alone. */
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

/** Names a company that is empty. */
export function nameOfEmpty(id: number): string {
  return `№ ${id}`;
}

/** Empties a company of all that tells whose it is; one that is empty is left alone. */
export async function emptyCompany(id: number, at: Instant): Promise<void> {
  await retryOnContention(async () => {
    const before = await findRecord({ type: companies, tenant: PLATFORM, id });
    if (!before || before.name === nameOfEmpty(id)) return;
    const { invoice_settings: _, ...kept } = before;
    const after = {
      ...kept,
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
