import type * as z from 'zod';
import { type StoredUser, users } from '#lib/people/user/user.ts';
import { PLATFORM, recordKey } from '#lib/table/keys.ts';
import { writeItems } from './write-items.ts';

/** Returns whether a user is to receive a broadcast. Each eleventh is deleted, and must not. */
export function isRecipient(id: number): boolean {
  return id % 11 !== 0;
}

/** Returns this many user ids. */
export function userIds(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** Writes this many users, as stored. */
export async function loadUsers(count: number): Promise<void> {
  await writeItems(
    userIds(count).map((id) => ({ ...recordKey(users.type, PLATFORM, id), ...userOf(id), version: 1 })),
  );
}

function userOf(id: number): z.input<typeof StoredUser> {
  return {
    id,
    type: 'employee',
    username: `user-${id}`,
    role_id: 1,
    company_id: 1,
    family_id: 1,
    partner_id: null,
    pinfl: null,
    phone: '998901112233',
    telephony_sip_number: null,
    is_confirmed: true,
    are_all_companies_available: true,
    responsibility_ids: [],
    cashbox_ids: [],
    stock_ids: [],
    password_hash: 'x'.repeat(100),
    session: 1,
    last_login_at: null,
    person: {
      first_name: 'Alisher',
      last_name: 'Karimov',
      position: 'Sotuvchi',
      birth_date: null,
      gender: null,
      full_name: 'Karimov Alisher',
    },
    created_at: 0,
    updated_at: 0,
    is_deleted: !isRecipient(id),
  };
}
