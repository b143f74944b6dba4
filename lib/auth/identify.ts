import {
  familyTenant,
  type Key,
  keyIfAny,
  PLATFORM,
  partnerTenant,
  recordKey,
  type Tenant,
} from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { signInRequired } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { Account, Grants } from './account.ts';
import { type Actor, hasRight, isIn, type Staff } from './actor.ts';
import { deskSession, deskSessionKey } from './desk-session.ts';
import type { Impersonator, TokenPayload } from './tokens.ts';
import { requireId, tariffKey, workplaceOf } from './workplace.ts';

type Pointers = Pick<TokenPayload, 'role' | 'company' | 'family'>;

/** The right to impersonate a user; losing it ends the impersonation. */
const IMPERSONATE = 'admin.user.user.auth-as';

/**
 * Identifies the user of a token, with current data. One round trip, two after the user has changed role or
 * company. 401 if the session, or the impersonator's, has ended; the state of a desk's session is in `pos`.
 */
export async function identify(payload: TokenPayload, at: Instant): Promise<Actor> {
  const { pos, impersonator } = payload;
  const [item, role, company, main, tariff, desk, ...impersonatorItems] = await getItems([
    userKey(payload.user),
    ...keysOf(payload),
    pos && keyIfAny(payload.family, (family) => deskSessionKey(familyTenant(family), pos.cashbox)),
    keyIfAny(impersonator?.user, userKey),
    keyIfAny(impersonator?.role, (id) => recordKey('role', PLATFORM, id)),
    keyIfAny(impersonator, endOfImpersonationKey),
  ]);
  const parsed = Account.safeParse(item);
  if (!parsed.success) throw signInRequired();
  const account = parsed.data;
  if (account.is_deleted || account.session !== payload.session) throw signInRequired();
  if (impersonator) await requireImpersonator(impersonator, account, impersonatorItems);
  const now = { role: account.role_id, company: account.company_id, family: account.family_id };
  const records = same(payload, now) ? [role, company, main, tariff] : await getItems(keysOf(now));
  return actorOf(account, records, {
    ...(impersonator && { impersonator }),
    // A user moved to another family has no desk session in the old one.
    ...(pos && { pos: deskSession(payload.family === now.family && desk, pos.session, pos.cashbox, at) }),
  });
}

/** Returns the actor of a user, without a token. One round trip. */
export async function actorFor(account: Account): Promise<Actor> {
  const { role_id: role, company_id: company, family_id: family } = account;
  return actorOf(account, await getItems(keysOf({ role, company, family })), {});
}

/**
 * Returns the actor of a family's user or key, by id; undefined if it is deleted, of another family by now,
 * or an expired key. Two round trips.
 */
export async function readStaff(tenant: Tenant, id: number, at: Instant): Promise<Staff | undefined> {
  const account = Account.safeParse(await getItem(userKey(id))).data;
  if (!account || account.is_deleted || account.family_id === null) return undefined;
  if (account.expires_at != null && account.expires_at <= at) return undefined;
  if (familyTenant(account.family_id) !== tenant) return undefined;
  const actor = await actorFor(account);
  return isIn('company', actor) ? actor : undefined;
}

/**
 * Requires that the impersonator may still act as the user: 401 once their session, right or account is gone,
 * the user's company is out of their reach, or the impersonation was ended by a logout. Contract 3; Contract
 * 9.86.
 */
async function requireImpersonator(
  { user, session, role }: Impersonator,
  { company_id }: Account,
  [item, roleItem, end]: readonly unknown[],
): Promise<void> {
  const account = Account.safeParse(item).data;
  if (end !== undefined) throw signInRequired();
  if (!account || account.id !== user || account.is_deleted || account.session !== session)
    throw signInRequired();
  const actor = account.role_id === role ? actorOf(account, [roleItem], {}) : await actorFor(account);
  if (!isIn('admin', actor) || !hasRight(actor, IMPERSONATE)) throw signInRequired();
  const { companies } = actor;
  if (companies !== 'all' && (company_id === null || !companies.includes(company_id))) throw signInRequired();
}

/** Returns the key of an item that exists once an impersonation was ended by a logout. */
export function endOfImpersonationKey({ id }: Pick<Impersonator, 'id'>): Key {
  return { pk: `impersonation-end#${id}`, sk: 'end' };
}

/** Returns the key of a user's record. */
export function userKey(id: number): Key {
  return recordKey('user', PLATFORM, id);
}

function keysOf({ role, company, family }: Pointers): (Key | undefined)[] {
  return [
    keyIfAny(role, (id) => recordKey('role', PLATFORM, id)),
    keyIfAny(company, (id) => recordKey('company', PLATFORM, id)),
    keyIfAny(family, (id) => recordKey('company', PLATFORM, id)),
    keyIfAny(family, tariffKey),
  ];
}

function same(a: Pointers, b: Pointers): boolean {
  return a.role === b.role && a.company === b.company && a.family === b.family;
}

function actorOf(
  account: Account,
  [role, company, main, tariff]: readonly unknown[],
  { pos, ...details }: Pick<Staff, 'impersonator' | 'pos'>,
): Actor {
  const grants = Grants.safeParse(role).data;
  const caller = {
    id: account.id,
    username: account.username,
    session: account.session,
    rights: grants && !grants.is_deleted ? grants.new_routes : [],
    ...details,
  };
  const { type } = account;
  const roleId = account.role_id;
  if (type === 'super_admin') return { ...caller, type, roleId, companies: 'all' };
  if (type === 'admin') {
    const open = account.are_all_companies_available ? 'all' : account.responsibility_ids;
    return { ...caller, type, roleId, companies: open };
  }
  if (type === 'partner') {
    const partnerId = requireId(account.partner_id);
    return { ...caller, type, partnerId, tenant: partnerTenant(partnerId) };
  }
  const canDiscount = type === 'director' || grants?.can_apply_sale_discount === true;
  return {
    ...caller,
    type,
    canDiscount,
    ...workplaceOf(account, [company, main], tariff),
    ...(pos && { pos }),
  };
}
