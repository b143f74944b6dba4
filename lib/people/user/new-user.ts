import type * as z from 'zod';
import { hashPassword } from '#lib/access/passwords.ts';
import type { NewBase } from '#lib/records/records-of.ts';
import { profileFrom } from './changes.ts';
import type { ProfileInput } from './input.ts';
import type { StoredUser } from './user.ts';

/** The common part of every form of a new user. */
export interface NewUser {
  readonly username: string;
  readonly phone: string | null;
  readonly telephony_sip_number?: string | null | undefined;
  readonly are_all_companies_available: boolean;
  readonly new_password: string;
  readonly profile?: z.output<typeof ProfileInput>;
}

/** Makes a new user, still without a type, a role or a place. */
export async function newUser(
  form: NewUser,
): Promise<Omit<z.input<typeof StoredUser>, keyof NewBase | 'type'>> {
  return {
    username: form.username,
    phone: form.phone,
    telephony_sip_number: form.telephony_sip_number ?? null,
    are_all_companies_available: form.are_all_companies_available,
    person: profileFrom(form.profile),
    password_hash: await hashPassword(form.new_password),
    session: 1,
    role_id: null,
    company_id: null,
    family_id: null,
    partner_id: null,
    responsibility_ids: [],
    cashbox_ids: [],
    stock_ids: [],
    pinfl: null,
    is_confirmed: false,
    last_login_at: null,
  };
}
