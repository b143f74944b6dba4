import * as z from 'zod';
import type { Account } from '#lib/auth/account.ts';
import { isIn, type StaffAtDesk } from '#lib/auth/actor.ts';
import { beginDeskSession, prolongDeskSession } from '#lib/auth/desk-session.ts';
import { actorFor } from '#lib/auth/identify.ts';
import { issueToken } from '#lib/auth/tokens.ts';
import { companies } from '#lib/people/company/record.ts';
import { Credentials, signIn, Token } from '#lib/people/user/session.ts';
import { findRecord } from '#lib/records/record.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { forbidden, invalid } from '#lib/values/api-error.ts';
import { Id } from '#lib/values/fields.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import { requireDeskInReach } from './desk.ts';

/** Username, password, and the desk to sign in at. Contract 3. */
export const PosCredentials = Credentials.extend({ cashbox_id: Id });

/** Token valid for as long as the session at the desk. */
export const PosToken = Token.extend({
  session: z.object({ id: z.int(), cashbox_id: z.int(), expires_at: Timestamp }),
});

/** State of a session at a desk; `expires_at` is null for an ended one. */
export const PosState = z.object({
  is_active: z.boolean(),
  cashbox_id: z.int(),
  expires_at: Timestamp.nullable(),
});

/**
 * Signs a company's user in at a desk, which ends an earlier session there. Contract 3. 422 on `username` as
 * in any sign-in, and for a user without a company; 422 on `cashbox_id` for a desk not open to them, or of a
 * company without the till window.
 */
export function posLogin(credentials: z.output<typeof PosCredentials>, ip: string, at: Instant) {
  const admit = (user: Account) => beginSession(user, credentials.cashbox_id, at);
  return signIn(credentials, ip, at, { types: ['director', 'employee'], admit });
}

async function beginSession(user: Account, cashboxId: number, at: Instant) {
  const actor = await actorFor(user);
  if (!isIn('company', actor)) throw forbidden();
  const desk = await requireDeskInReach(actor, cashboxId, 'cashbox_id');
  await requirePosWindow(desk);
  const session = await nextId('pos-session', actor.tenant);
  const expires_at = await beginDeskSession(actor.tenant, desk.id, session, at);
  const token = await issueToken(user, at, { pos: { cashbox: desk.id, session } });
  return { token, session: { id: session, cashbox_id: desk.id, expires_at } };
}

/** Requires that the desk's company has the till window. 422 on `cashbox_id`. Contract 9.116. */
async function requirePosWindow({ company_id: id }: { readonly company_id: number }): Promise<void> {
  const company = await findRecord({ type: companies, tenant: PLATFORM, id });
  if (company?.is_pos_window_enabled === false) throw invalid({ cashbox_id: 'auth.pos_disabled' });
}

/**
 * Checks whether a session at a desk is active, and prolongs it if so to twelve hours from now. Contract 3.
 */
export async function posPing({ tenant, pos }: StaffAtDesk, at: Instant) {
  const until = pos.isActive ? await prolongDeskSession(tenant, pos, at) : undefined;
  return { is_active: until !== undefined, cashbox_id: pos.cashboxId, expires_at: until ?? null };
}
