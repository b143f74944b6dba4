import * as z from 'zod';
import { Grants, type UserType } from '#lib/auth/account.ts';
import {
  type AccountManager,
  canGrant,
  canReach,
  hasRights,
  isPlatformAccount,
} from '#lib/auth/account-manager.ts';
import { type Actor, isIn } from '#lib/auth/actor.ts';
import { companies } from '#lib/people/company/record.ts';
import { roles } from '#lib/people/role/record.ts';
import type { Item } from '#lib/table/client.ts';
import { familyTenant, keyIfAny, PLATFORM, partition, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { forbidden } from '#lib/values/api-error.ts';
import type { ValidationIssue } from '#lib/values/validation-issues.ts';
import type { StoredUser } from './user.ts';

type User = z.input<typeof StoredUser>;

const Member = z.object({ id: z.int() });

/** Requires that an account manager holds all rights and companies of a user. 403 otherwise. Contract 3. */
export async function requireAuthority(actor: AccountManager, user: User): Promise<void> {
  if (user.type === 'super_admin' && actor.type !== 'super_admin')
    throw forbidden('role.super_administrator_only');
  if (!(await hasAuthority(actor, user))) throw forbidden('role.beyond_yours');
}

/**
 * Returns whether an account manager currently holds all rights and companies of a user. One round trip, two
 * if the manager is responsible for chosen companies and the user for a family.
 */
export async function hasAuthority(actor: AccountManager, user: User): Promise<boolean> {
  const { type, role_id } = user;
  const [role] = await getItems([keyIfAny(role_id, (id) => recordKey(roles.type, PLATFORM, id))]);
  const { new_routes: routes = [], can_apply_sale_discount: canDiscount = false } =
    Grants.safeParse(role).data ?? {};
  return hasRights(actor, { type, routes, canDiscount }) && (await canReachAllOf(actor, user));
}

/** Rejects impersonation: the result would outlive the token's hour. 403 otherwise. */
export function forbidImpersonation({ impersonator }: Pick<Actor, 'impersonator'>): void {
  if (impersonator) throw forbidden('auth.acting_as_another');
}

/**
 * Returns whether every company of a family is open to an account manager: for an administrator the existing
 * ones, for staff also future ones.
 */
export async function canReachFamily(actor: AccountManager, familyId: number): Promise<boolean> {
  if (actor.companies === 'all') return true;
  if (isIn('company', actor)) return false;
  const members = await wholePartition(partition(companies.type, familyTenant(familyId)));
  return members.every((item) => canReach(actor, Member.parse(item).id));
}

async function canReachAllOf(actor: AccountManager, user: User): Promise<boolean> {
  const {
    type,
    company_id,
    family_id,
    are_all_companies_available,
    responsibility_ids,
    company_ids = [],
  } = user;
  if (actor.companies === 'all') return true;
  if (isPlatformAccount(type))
    return !are_all_companies_available && responsibility_ids.every((id) => canReach(actor, id));
  if (company_id === null || family_id === null) return false;
  const isEverywhere = are_all_companies_available || (type === 'director' && company_id === family_id);
  if (isEverywhere) return canReachFamily(actor, family_id);
  return [company_id, ...company_ids].every((id) => canReach(actor, id));
}

/** Type and role of a user's form. */
interface RoleAssignment {
  readonly type: UserType;
  readonly role_id: number | null;
  readonly partner_id?: number | null;
}

const RoleToGive = Grants.extend({
  type: z.string(),
  family_id: z.int().nullable(),
  partner_id: z.int().nullable(),
  is_deleted: z.literal(false),
});

/** Returns the issue that prevents a form's user from having a role; undefined if none does. */
export function roleIssue(
  actor: AccountManager,
  { type, role_id, partner_id = null }: RoleAssignment,
  item: Item | undefined,
  family: number | null,
): ValidationIssue | undefined {
  if (role_id === null) return undefined;
  const role = RoleToGive.safeParse(item).data;
  if (!role || (family !== null && role.family_id !== family)) return 'validation.not_found';
  if (partner_id !== null && role.partner_id !== partner_id) return 'validation.not_found';
  if (role.type !== type) return 'user.role_of_other_type';
  const { new_routes: routes, can_apply_sale_discount: canDiscount } = role;
  const isHeld =
    routes.every((route) => canGrant(actor, type, route)) &&
    hasRights(actor, { type: type === 'director' ? 'employee' : type, routes, canDiscount });
  return isHeld ? undefined : 'role.right_not_held';
}
