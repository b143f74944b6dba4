import * as z from 'zod';
import { Account, UserType } from '#lib/access/account.ts';
import type { Actor } from '#lib/access/actor.ts';
import { userKey } from '#lib/access/identify.ts';
import { isPassword } from '#lib/access/passwords.ts';
import { type Limit, returnTry, spend, type Try, takeTry } from '#lib/access/throttle.ts';
import { issueToken, type TokenOccasion } from '#lib/access/tokens.ts';
import { users } from '#lib/people/user/user.ts';
import { editRecord, findRecord, replacement } from '#lib/records/record.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { holderIn, keyOf } from '#lib/table/names.ts';
import { getItem } from '#lib/table/reads.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { invalid } from '#lib/values/refusal.ts';
import { fold } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';

/** A username and its password. Decisions, 3. */
export const Credentials = z.object({
  username: z.string().min(1, { error: 'validation.required' }).max(255),
  password: z.string().min(1, { error: 'validation.required' }).max(255),
});

type Credentials = z.output<typeof Credentials>;

/** The answer to a sign-in. */
export const Token = z.object({ token: z.string() });

/** How often signing in with one name may fail. */
export const FAILURES_BY_NAME: Limit = { name: 'login-name', most: 5, seconds: 60 };
const FAILURES_BY_ADDRESS: Limit = { name: 'login-address', most: 5, seconds: 60 };

/** Signs a user in. Decisions, 3. */
export function login(credentials: Credentials, ip: string, at: Instant) {
  const admit = async (user: Account) => ({ token: await issueToken(user, at) });
  return signIn(credentials, ip, at, { types: UserType.options, admit });
}

/** Whom a sign-in is for, and what they get. */
interface Door<T> {
  readonly types: readonly UserType[];
  readonly admit: (user: Account) => Promise<T>;
}

/**
 * Lets in a user of one of these types, whom `admit` may still refuse. Decisions, 3. 422 on `username` for a
 * wrong pair, and for a user of another type: the same text, after the same time, whether the name exists or
 * not. 429 after five of these in a minute for the name or the address.
 */
export async function signIn<T>(
  { username, password }: Credentials,
  ip: string,
  at: Instant,
  { types, admit }: Door<T>,
): Promise<T> {
  const [user, tries] = await Promise.all([userNamed(username), takeTries(fold(username), ip, at)]);
  const fits = await isPassword(password, user?.password_hash);
  if (!user || !fits || !types.includes(user.type)) {
    await Promise.all(tries.map(spend));
    throw invalid({ username: 'auth.wrong_credentials' });
  }
  try {
    const admitted = await admit(user);
    // Before the tries are given back, so that only a few at once change the same record.
    await noteLogin(user.id, at);
    return admitted;
  } finally {
    await Promise.all(tries.map(returnTry));
  }
}

/** Ends every session of the caller, on every device. Part 1, "Sign-in and external entry points". */
export async function logout(actor: Actor, at: Instant): Promise<void> {
  await editRecord({ type: users, home: PLATFORM, id: actor.id }, at, (before) => ({
    ...before,
    session: before.session + 1,
  }));
}

/** Makes a fresh token for a user as the record has it now. */
export async function tokenFor(id: number, at: Instant, occasion: TokenOccasion = {}): Promise<string> {
  return issueToken(Account.parse(await getItem(userKey(id))), at, occasion);
}

// One after the other, always in this order: a call that waits for the second try delays nobody who holds
// one.
async function takeTries(name: string, ip: string, at: Instant): Promise<readonly Try[]> {
  const byName = await takeTry(FAILURES_BY_NAME, name, at);
  try {
    return [byName, await takeTry(FAILURES_BY_ADDRESS, ip, at)];
  } catch (error) {
    await returnTry(byName);
    throw error;
  }
}

async function userNamed(username: string) {
  const name = await getItem(keyOf(users.type, { path: 'username', scope: PLATFORM, text: username }));
  // A name that nobody has costs the same second look.
  const user = await findRecord({ type: users, home: PLATFORM, id: holderIn(name) ?? 0 });
  return user?.is_deleted === false ? user : undefined;
}

// No edit: the record's `updated_at` is for what people change.
async function noteLogin(id: number, at: Instant): Promise<void> {
  await retryOnContention(async () => {
    const user = await findRecord({ type: users, home: PLATFORM, id });
    if (user) await transact(replacement(users, PLATFORM, user, { ...user, last_login_at: at }));
  });
}
