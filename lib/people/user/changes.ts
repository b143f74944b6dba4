import type * as z from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { hashPassword } from '#lib/auth/passwords.ts';
import type { NewBase } from '#lib/records/records-of.ts';
import { forbidden } from '#lib/values/api-error.ts';
import type { Profile } from './colleague.ts';
import type { ProfileInput } from './input.ts';
import type { StoredUser } from './user.ts';

type Person = z.output<typeof Profile>;

const NO_PROFILE: Person = {
  first_name: null,
  last_name: null,
  position: null,
  birth_date: null,
  gender: null,
  full_name: '',
};

/** Personal fields common to all forms of a user. */
interface Personal {
  readonly phone: string | null;
  readonly telephony_sip_number?: string | null | undefined;
  readonly profile?: z.output<typeof ProfileInput>;
}

/** Returns the changed personal fields of a user; omitted fields stay. Part 1, "Users". */
export function personalChanges(
  before: Pick<z.input<typeof StoredUser>, 'telephony_sip_number' | 'person'>,
  { phone, telephony_sip_number = before.telephony_sip_number, profile }: Personal,
) {
  return { phone, telephony_sip_number, person: profileFrom(profile, before.person) };
}

/** Builds the stored profile, with its full name. */
function profileFrom(given: z.output<typeof ProfileInput>, before = NO_PROFILE): Person {
  const {
    first_name = before.first_name,
    last_name = before.last_name,
    position = before.position,
  } = given ?? {};
  const full_name = [last_name, first_name].filter(Boolean).join(' ');
  return { ...before, first_name, last_name, position, full_name };
}

/**
 * Rejects a password set under impersonation: it would outlive the token's hour. 403 otherwise. Contract 3.
 */
export function requireOwnPassword(
  { impersonator }: Actor,
  { new_password }: { readonly new_password?: string | undefined },
): void {
  if (impersonator && new_password !== undefined) throw forbidden('auth.password_of_another');
}

/**
 * Hashes a new password once and returns a function from session to changed fields: sessions of the old
 * password end.
 */
export async function passwordChange(password: string | undefined) {
  const password_hash = password === undefined ? undefined : await hashPassword(password);
  return (session: number) => (password_hash === undefined ? {} : { password_hash, session: session + 1 });
}

/** Fields common to all forms that edit a user. */
export interface ChangedUser extends Personal {
  readonly username: string;
  readonly new_password?: string | undefined;
}

/** Fields common to all forms of a new user. */
export interface NewUser extends Personal {
  readonly username: string;
  readonly new_password: string;
  readonly are_all_companies_available: boolean;
}

/** A new user without any data. */
export const BLANK_USER = {
  username: '',
  phone: null,
  telephony_sip_number: null,
  are_all_companies_available: false,
  person: NO_PROFILE,
  password_hash: '',
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

/** Builds a new user without type, role or workplace. */
export async function newUser(
  form: NewUser,
): Promise<Omit<z.input<typeof StoredUser>, keyof NewBase | 'type'>> {
  return {
    ...BLANK_USER,
    username: form.username,
    phone: form.phone,
    telephony_sip_number: form.telephony_sip_number ?? null,
    are_all_companies_available: form.are_all_companies_available,
    person: profileFrom(form.profile),
    password_hash: await hashPassword(form.new_password),
  };
}
