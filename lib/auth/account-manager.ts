import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import { any, type Expression, equals, oneOf } from '#lib/table/expression.ts';
import { PLATFORM, type Tenant } from '#lib/table/keys.ts';
import type { UserType } from './account.ts';
import { type Actor, type Administrator, hasRight, isGivenRight, isIn, type Staff } from './actor.ts';

/** Who keeps the accounts and roles of companies: administrators, and a family's own staff. */
export type AccountManager = Administrator | Staff;

/** What an account or a role lets its holders do. */
interface Rights {
  readonly type: UserType;
  readonly routes: readonly string[];
  readonly canDiscount: boolean;
}

const PLATFORM_TYPES: readonly UserType[] = ['admin', 'super_admin'];

/** Tells the accounts and roles of the platform from those of companies and partners. */
export function isPlatformAccount(type: UserType): boolean {
  return PLATFORM_TYPES.includes(type);
}

/** Gives the home whose lists have the accounts and roles that a keeper keeps. */
export function tenantOfAccounts(actor: AccountManager): Tenant {
  return isIn('company', actor) ? actor.tenant : PLATFORM;
}

/** Tells whether a company is open to its keeper. */
export function canReach({ companies: open }: Pick<Administrator, 'companies'>, companyId: number): boolean {
  return open === 'all' || open.includes(companyId);
}

const LiveCompany = z.object({
  id: z.int(),
  parent_id: z.int().nullable(),
  is_deleted: z.literal(false),
});

/** Gives the company of an item if it is there and open to a keeper: to staff one of their own family. */
export function reachableCompany(actor: AccountManager, item: Item | undefined) {
  const company = LiveCompany.safeParse(item).data;
  if (!company || !canReach(actor, company.id)) return undefined;
  const { id, parent_id } = company;
  return isIn('company', actor) && (parent_id ?? id) !== actor.familyId ? undefined : company;
}

/**
 * Tells what holds of the users and roles that a keeper reaches. An administrator who is responsible for
 * chosen companies reaches only what is theirs and the platform's own. None of them reaches a partner's, as a
 * partner has companies of any kind.
 */
export function accountsInReach(actor: AccountManager | Pick<Administrator, 'companies'>): Expression[] {
  const open = actor.companies === 'all' ? [] : [oneOf('company_id', actor.companies)];
  if ('familyId' in actor) return [equals('family_id', actor.familyId), ...open];
  if (actor.companies === 'all') return [];
  return [any([oneOf('type', PLATFORM_TYPES), oneOf('company_id', actor.companies)])];
}

/** Filters records of companies open to the caller whose `field` is among `ids`. */
export function withinReachOf(
  { companies: open }: Staff,
  ids: 'all' | readonly number[] = 'all',
  field = 'id',
): Expression[] {
  return [...among('company_id', open), ...among(field, ids)];
}

/** Filters records whose `field` is among `ids`. */
export function among(field: string, ids: 'all' | readonly number[]): Expression[] {
  return ids === 'all' ? [] : [oneOf(field, ids)];
}

/**
 * Tells whether a keeper may give a right to users of a type, or change what has it: staff what they hold
 * themselves, administrators the same within their own area.
 */
export function canGrant(actor: AccountManager, type: UserType, route: string): boolean {
  return !isOwnArea(actor, type) || hasRight(actor, route);
}

function isOwnArea(actor: AccountManager, type: UserType): boolean {
  return isIn('company', actor) || isPlatformAccount(type);
}

/**
 * Tells whether a keeper holds all rights that an account or a role gives: a director has all there are in a
 * company, and a super-administrator all of the platform, whatever the role says. Administrators hold those
 * of the companies and partners whom they reach. What a key never has, another need not have. Contract 3.
 */
export function hasRights(actor: AccountManager, { type, routes, canDiscount }: Rights): boolean {
  if (type === 'super_admin' && actor.type !== 'super_admin') return false;
  const wanted = type === 'director' ? ['company.*'] : routes;
  const isHeldBy = type === 'key' && actor.type === 'key' ? isGivenRight : hasRight;
  if (!wanted.every((route) => !isOwnArea(actor, type) || isHeldBy(actor, route))) return false;
  return !canDiscount || !isIn('company', actor) || actor.canDiscount;
}

const READING_USERS = ['admin', 'company'].flatMap((area) => [
  `${area}.user.user.index`,
  `${area}.user.user.show`,
]);

/** Tells whether the caller may read users, one or their list. */
export function canReadUsers(actor: Actor): boolean {
  return READING_USERS.some((right) => hasRight(actor, right));
}
