import * as z from 'zod';
import { type Account, PersonType, type UserType } from '#lib/auth/account.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { addressToCount } from '#lib/auth/address.ts';
import { endOfImpersonationKey } from '#lib/auth/identify.ts';
import { isPassword } from '#lib/auth/passwords.ts';
import { type RateLimit, recordAttempt, refundAttempt, takeAttempts } from '#lib/auth/rate-limit.ts';
import { issueToken } from '#lib/auth/tokens.ts';
import { users } from '#lib/people/user/user.ts';
import { findRecord } from '#lib/records/record.ts';
import { editRecord, replacement } from '#lib/records/record-writes.ts';
import { put } from '#lib/table/change/write.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { ownerIn, uniqueConstraintKey } from '#lib/table/transaction/unique-constraints.ts';
import { invalid, signInRequired } from '#lib/values/api-error.ts';
import { lineOfText } from '#lib/values/fields.ts';
import { normalizeText } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';

/** A username and its password. Contract 3. */
export const Credentials = z.object({
  username: lineOfText(255).min(1, { error: 'validation.required' }),
  password: z.string().min(1, { error: 'validation.required' }).max(255),
});

type Credentials = z.output<typeof Credentials>;

/** Response to a sign-in. */
export const Token = z.object({ token: z.string() });

/** Failed sign-ins with one username from one address. */
export const FAILURES_FROM_ADDRESS: RateLimit = {
  name: 'login-name-address',
  max: 5,
  seconds: 60,
  isCountedByOperation: true,
};

// Ten times as many for a username and for an address alone: guessing from many addresses or with many
// usernames is bounded, yet locking another user out is not as easy. Contract 3.
const FAILURES_BY_NAME: RateLimit = { name: 'login-name', max: 50, seconds: 60 };
const FAILURES_BY_ADDRESS: RateLimit = { name: 'login-address', max: 50, seconds: 60 };

/** Longer usernames than any user's need not be distinguished. */
const LONGEST_COUNTED = 255;

/** Signs a user in. Contract 3. */
export function login(credentials: Credentials, ip: string, at: Instant) {
  const admit = async (user: Account) => ({ token: await issueToken(user, at) });
  return signIn(credentials, ip, at, { types: PersonType.options, admit });
}

/** A kind of sign-in: its user types and its result. */
interface SignIn<T> {
  readonly types: readonly UserType[];
  readonly admit: (user: Account) => Promise<T>;
}

/**
 * Signs in a user of these types, whom `authenticate` may still reject. Contract 3. 422 on `username` for
 * wrong credentials and for another type of user, with equal text and timing whether the username exists or
 * not. 429 after five failures in a minute for the username from the address, or fifty for either. Success
 * clears no count: Contract 9.75.
 */
export async function signIn<T>(
  { username, password }: Credentials,
  ip: string,
  at: Instant,
  { types, admit }: SignIn<T>,
): Promise<T> {
  const [user, tries] = await Promise.all([
    userNamed(username),
    takeAttempts(limitsOf(normalizeText(username), ip), at),
  ]);
  const fits = await isPassword(password, user?.password_hash);
  if (!user || !fits || !types.includes(user.type)) {
    await Promise.all(tries.map(recordAttempt));
    throw invalid({ username: 'auth.wrong_credentials' });
  }
  try {
    const admitted = await admit(user);
    // Before the attempts are refunded, so that only a few at once change the same record.
    await noteLogin(user.id, at);
    return admitted;
  } finally {
    await Promise.all(tries.map(refundAttempt));
  }
}

/**
 * Ends every session of the caller on every device; under impersonation only the impersonation. Part 1,
 * "Sign-in and external entry points"; Contract 9.86.
 */
export async function logout(actor: Actor, at: Instant): Promise<void> {
  const { impersonator } = actor;
  if (impersonator) {
    const expires_at = Math.ceil(impersonator.until / 1000);
    return transact([put(endOfImpersonationKey(impersonator), { expires_at })]);
  }
  await editRecord({ type: users, tenant: PLATFORM, id: actor.id }, at, (before) => {
    requireSession(actor, before);
    return { ...before, session: before.session + 1 };
  });
}

/**
 * Requires that the caller's session is still current in their account. Every renewal of a session checks the
 * record that it replaces, so that a stolen token can't outlive a password change by racing it. 401
 * otherwise.
 */
export function requireSession(actor: Pick<Actor, 'session'>, account: Pick<Account, 'session'>): void {
  if (account.session !== actor.session) throw signInRequired();
}

function limitsOf(username: string, ip: string): readonly (readonly [RateLimit, string])[] {
  const name = username.slice(0, LONGEST_COUNTED);
  const address = addressToCount(ip);
  return [
    [FAILURES_FROM_ADDRESS, `${name} ${address}`],
    [FAILURES_BY_NAME, name],
    [FAILURES_BY_ADDRESS, address],
  ];
}

/** Finds the active user of a username. Two round trips. */
export async function userNamed(username: string) {
  const name = await getItem(
    uniqueConstraintKey(users.type, { path: 'username', scope: PLATFORM, text: username }),
  );
  // An unknown username costs the same second read.
  const user = await findRecord({ type: users, tenant: PLATFORM, id: ownerIn(name) ?? 0 });
  return user?.is_deleted === false ? user : undefined;
}

// Not an edit: `updated_at` is for changes by users.
async function noteLogin(id: number, at: Instant): Promise<void> {
  await retryOnContention(async () => {
    const user = await findRecord({ type: users, tenant: PLATFORM, id });
    if (user) await transact(replacement(users, PLATFORM, user, { ...user, last_login_at: at }));
  });
}
