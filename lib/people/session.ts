import * as z from 'zod';
import { Account } from '#lib/access/account.ts';
import type { Actor } from '#lib/access/actor.ts';
import { userKey } from '#lib/access/identify.ts';
import { isPassword } from '#lib/access/passwords.ts';
import { issueToken } from '#lib/access/tokens.ts';
import { editRecord, findRecord } from '#lib/records/record.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { keyOf } from '#lib/table/names.ts';
import { getItem } from '#lib/table/reads.ts';
import { invalid } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { users } from './user.ts';

export const Credentials = z.object({
  username: z.string().min(1, { error: 'validation.required' }),
  password: z.string().min(1, { error: 'validation.required' }),
});

type Credentials = z.output<typeof Credentials>;

/** What a sign-in answers with. */
export const Token = z.object({ token: z.string() });

const Holder = z.object({ id: z.int() });

/**
 * Signs a user in. 422 on `username` for a wrong pair: the same text, after the same time, whether the name exists
 * or not. Decisions, "Access".
 */
export async function login(
  { username, password }: Credentials,
  at: Instant,
): Promise<z.output<typeof Token>> {
  const holder = Holder.safeParse(
    await getItem(keyOf(users.type, { path: 'username', scope: PLATFORM, text: username })),
  );
  const user = holder.success ? await findRecord(users, PLATFORM, holder.data.id) : undefined;
  const known = user && !user.is_deleted ? user : undefined;
  const fits = await isPassword(password, known?.password_hash);
  if (!known || !fits) throw invalid({ username: 'auth.wrong_pair' });
  await editRecord(users, PLATFORM, known.id, at, (before) => ({ ...before, last_login_at: at }));
  return { token: await issueToken(known, at) };
}

/** Ends every session of the caller, on every device. Part 1, "Sign-in". */
export async function logout(actor: Actor, at: Instant): Promise<void> {
  await editRecord(users, PLATFORM, actor.id, at, (before) => ({ ...before, session: before.session + 1 }));
}

/** A fresh token for a user as the record has it now. */
export async function tokenFor(id: number, at: Instant, impersonator?: number): Promise<string> {
  return issueToken(Account.parse(await getItem(userKey(id))), at, impersonator);
}
