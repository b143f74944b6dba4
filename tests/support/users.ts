import type * as z from 'zod';
import { Account } from '#lib/auth/account.ts';
import { issueToken } from '#lib/auth/tokens.ts';
import { type StoredUser, users } from '#lib/people/user/user.ts';
import { insertRecord } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';

export type TestUser = z.input<typeof StoredUser>;

/** Creates a user who signs in with a token that the test makes: no password opens the account. */
export async function insertUser(given: Partial<TestUser> & Pick<TestUser, 'type'>, at = Date.now()) {
  const id = await nextId(users.type, PLATFORM);
  const user = await insertRecord(users, PLATFORM, userFrom(id, given, at));
  return { id, token: await tokenOf(user, at) };
}

/** Issues a user's token. */
export function tokenOf(user: TestUser, at: number): Promise<string> {
  return issueToken(Account.parse(user), at);
}

/** Creates the record of such a user. */
export function userFrom(
  id: number,
  given: Partial<TestUser> & Pick<TestUser, 'type'>,
  at: number,
): TestUser {
  return {
    id,
    username: `user-${id}`,
    role_id: null,
    company_id: null,
    family_id: null,
    partner_id: null,
    pinfl: null,
    phone: null,
    telephony_sip_number: null,
    is_confirmed: true,
    are_all_companies_available: true,
    responsibility_ids: [],
    cashbox_ids: [],
    stock_ids: [],
    password_hash: '',
    session: 1,
    last_login_at: null,
    person: {
      first_name: 'Test',
      last_name: null,
      position: null,
      birth_date: null,
      gender: null,
      full_name: 'Test',
    },
    created_at: at,
    updated_at: at,
    is_deleted: false,
    ...given,
  };
}
