import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import { any, type Expression, equals, oneOf } from '#lib/table/expression.ts';
import { PLATFORM, type Tenant } from '#lib/table/keys.ts';
import type { UserType } from './account.ts';
import { type Actor, type Administrator, hasRight, isGivenRight, isIn, type Staff } from './actor.ts';

/** A manager of company accounts and roles: administrators, and a family's own staff. */
export type AccountManager = Administrator | Staff;

/** The rights of the holders of an account or role. */
interface Rights {
  readonly type: UserType;
  readonly routes: readonly string[];
  readonly canDiscount: boolean;
}

const PLATFORM_TYPES: readonly UserType[] = ['admin', 'super_admin'];

/** Returns true for accounts and roles of the platform, false for those of companies and partners. */
export function isPlatformAccount(type: UserType): boolean {
  return PLATFORM_TYPES.includes(type);
}

/** Returns the tenant whose lists contain the accounts and roles of a manager. */
export function tenantOfAccounts(actor: AccountManager): Tenant {
  return isIn('company', actor) ? actor.tenant : PLATFORM;
}

/** Returns true if a company is within a manager's reach. */
export function canReach({ companies: open }: Pick<Administrator, 'companies'>, companyId: number): boolean {
  return open === 'all' || open.includes(companyId);
}

const LiveCompany = z.object({
  id: z.int(),
  parent_id: z.int().nullable(),
  is_deleted: z.literal(false),
});

/**
 * Returns the company of an item if it exists within a manager's reach; for staff, within their own family.
 */
export function reachableCompany(actor: AccountManager, item: Item | undefined) {
  const company = LiveCompany.safeParse(item).data;
  if (!company || !canReach(actor, company.id)) return undefined;
  const { id, parent_id } = company;
  return isIn('company', actor) && (parent_id ?? id) !== actor.familyId ? undefined : company;
}

/**
 * Returns the conditions on users and roles within a manager's reach. An administrator responsible for
 * selected companies reaches only theirs and the platform's own, but no partner's, as a partner has companies
 * of any administrator.
 */
export function accountsInReach(actor: AccountManager | Pick<Administrator, 'companies'>): Expression[] {
  const open = actor.companies === 'all' ? [] : [oneOf('company_id', actor.companies)];
  if ('familyId' in actor) return [equals('family_id', actor.familyId), ...open];
  if (actor.companies === 'all') return [];
  return [any([oneOf('type', PLATFORM_TYPES), oneOf('company_id', actor.companies)])];
}

/** Returns conditions on records of companies within the caller's reach whose `field` is among `ids`. */
export function withinReachOf(
  { companies: open }: Staff,
  ids: 'all' | readonly number[] = 'all',
  field = 'id',
): Expression[] {
  return [...among('company_id', open), ...among(field, ids)];
}

/** Returns the condition on records whose `field` is among `ids`. */
export function among(field: string, ids: 'all' | readonly number[]): Expression[] {
  return ids === 'all' ? [] : [oneOf(field, ids)];
}

/**
 * Returns true if a manager may grant a right to users of a type, or change its holders: staff only rights
 * that they hold themselves, administrators likewise within their own area.
 */
export function canGrant(actor: AccountManager, type: UserType, route: string): boolean {
  return !isOwnArea(actor, type) || hasRight(actor, route);
}

function isOwnArea(actor: AccountManager, type: UserType): boolean {
  return isIn('company', actor) || isPlatformAccount(type);
}

/**
 * Returns true if a manager holds all rights of an account or role: a director has all of a company, and a
 * super-administrator all of the platform, regardless of the role. Administrators hold those of the companies
 * and partners within their reach. Rights that a key never has are not required of a key for another key.
 * Contract 3.
 */
export function hasRights(actor: AccountManager, { type, routes, canDiscount }: Rights): boolean {
  if (type === 'super_admin' && actor.type !== 'super_admin') return false;
  const required = type === 'director' ? ['company.*'] : routes;
  const isHeld = type === 'key' && actor.type === 'key' ? isGivenRight : hasRight;
  if (!required.every((route) => !isOwnArea(actor, type) || isHeld(actor, route))) return false;
  return !canDiscount || !isIn('company', actor) || actor.canDiscount;
}

const READING_USERS = ['admin', 'company'].flatMap((area) => [
  `${area}.user.user.index`,
  `${area}.user.user.show`,
]);

/** Returns true if the caller may read users, one or their list. */
export function canReadUsers(actor: Actor): boolean {
  return READING_USERS.some((right) => hasRight(actor, right));
}
