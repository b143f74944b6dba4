import type * as z from 'zod';
import type { Actor } from '#lib/access/actor.ts';
import { hashPassword } from '#lib/access/passwords.ts';
import { forbidden } from '#lib/values/refusal.ts';
import type { ProfileInput } from './input.ts';
import type { Profile, StoredUser } from './user.ts';

type Person = z.output<typeof Profile>;

const NOBODY: Person = {
  first_name: null,
  last_name: null,
  position: null,
  birth_date: null,
  gender: null,
  full_name: '',
};

/** The common part of all forms of a user. */
interface Form {
  readonly phone: string | null;
  readonly telephony_sip_number?: string | null | undefined;
  readonly profile?: z.output<typeof ProfileInput>;
}

/** Computes what such a form changes of a user; what it leaves out stays as it is. Part 1, "Users". */
export function personalChanges(
  before: Pick<z.input<typeof StoredUser>, 'telephony_sip_number' | 'person'>,
  { phone, telephony_sip_number = before.telephony_sip_number, profile }: Form,
) {
  return { phone, telephony_sip_number, person: profileFrom(profile, before.person) };
}

/** Makes a personal part as it is held, with its full name. */
export function profileFrom(given: z.output<typeof ProfileInput>, before = NOBODY): Person {
  const {
    first_name = before.first_name,
    last_name = before.last_name,
    position = before.position,
  } = given ?? {};
  const full_name = [last_name, first_name].filter(Boolean).join(' ');
  return { ...before, first_name, last_name, position, full_name };
}

/**
 * Requires that an administrator who acts as a user sets no password: it would outlive the hour that they
 * have. 403 otherwise. Decisions, 3.
 */
export function requireOwnPassword(
  { impersonator }: Actor,
  { new_password }: { readonly new_password?: string | undefined },
): void {
  if (impersonator && new_password !== undefined) throw forbidden('auth.password_of_another');
}

/**
 * Computes what a new password, hashed once, changes of an account: every session made with the old one ends.
 */
export async function passwordChange(password: string | undefined) {
  const password_hash = password === undefined ? undefined : await hashPassword(password);
  return (session: number) => (password_hash === undefined ? {} : { password_hash, session: session + 1 });
}
