import * as z from 'zod';
import type { Tenant } from '#lib/table/keys.ts';
import { badRequest, rightRequired } from '#lib/values/api-error.ts';
import { COST_RIGHT } from '#lib/values/cost.ts';
import type { Instant } from '#lib/values/time.ts';
import { type AccountStanding, includesRight, type UserType } from './account.ts';
import type { Impersonator } from './tokens.ts';

interface Caller {
  readonly id: number;
  readonly username: string;
  /** The session of their token: a renewal requires that it has not ended. */
  readonly session: number;
  /** The administrator behind an `auth-as` token. */
  readonly impersonator?: Impersonator;
  readonly rights: readonly string[];
}

/** A platform administrator, for `/admin/*`. */
export interface Administrator extends Caller {
  readonly type: Extract<UserType, 'admin' | 'super_admin'>;
  /** Companies within their reach. */
  readonly companies: 'all' | readonly number[];
  readonly roleId: number | null;
}

/** A partner's user, for `/partner/*`. */
export interface PartnerUser extends Caller {
  readonly type: Extract<UserType, 'partner'>;
  readonly partnerId: number;
  readonly tenant: Tenant;
}

/** A company's director, employee or key, for `/company/*`, within their family only. */
export interface Staff extends Caller {
  readonly type: Extract<UserType, 'director' | 'employee' | 'key'>;
  readonly companyId: number;
  readonly familyId: number;
  /** The tenant of the family's records. */
  readonly tenant: Tenant;
  /** Companies of the family within their reach. */
  readonly companies: 'all' | readonly number[];
  /** Warehouses and cash desks of those companies within their reach. */
  readonly warehouses: 'all' | readonly number[];
  readonly cashDesks: 'all' | readonly number[];
  readonly canDiscount: boolean;
  /** False if the company is deleted: then writes are rejected. Contract 3. */
  readonly isCompanyActive: boolean;
  /** Deleted branches of the family, which neither sell nor receive goods or money. Contract 9.83. */
  readonly deletedBranches: readonly number[];
  /** The time at which their family is blocked for unpaid debt: writes are rejected from then on. */
  readonly blockAt?: Instant | undefined;
  /** True if their own company uses cash shifts; undefined if not read. */
  readonly hasShifts?: boolean | undefined;
  /** Their family's sale settings; undefined if not read. */
  readonly saleSettings?: AccountStanding['sale_settings'];
  /** Their family's labels of scales; undefined if not read. */
  readonly scaleSettings?: AccountStanding['scale_settings'];
  /** True if their own company accepts bank payments; undefined if not read. */
  readonly takesBank?: boolean | undefined;
  /** The external system's key, if one acts as the company's director. Part 1, "Authentication", 3. */
  readonly externalKey?: { readonly id: number; readonly name: string };
  /** The desk session, after a POS sign-in. */
  readonly pos?: PosSession;
}

/** The desk session of a POS token. */
export interface PosSession {
  readonly id: number;
  readonly cashboxId: number;
  /** False once it has expired, or another session has begun at the desk. */
  readonly isActive: boolean;
}

/** A caller with a POS token. */
export interface StaffAtDesk extends Staff {
  readonly pos: PosSession;
}

/** The caller. */
export type Actor = Administrator | PartnerUser | Staff;

/** The first word of a path, which must match the user's type. Part 1, "Authentication", 2. */
export type Area = 'admin' | 'partner' | 'company';

/** The type of caller of each area. */
export interface AreaActors {
  admin: Administrator;
  partner: PartnerUser;
  company: Staff;
}

/** Returns true if a caller belongs to an area. */
export function isIn<A extends Area>(area: A, actor: Actor): actor is AreaActors[A] & Actor {
  return areaOfActor(actor) === area;
}

/** Returns the area that a caller belongs to. */
export function areaOfActor({ type }: Pick<Actor, 'type'>): Area {
  if (type === 'director' || type === 'employee' || type === 'key') return 'company';
  return type === 'partner' ? 'partner' : 'admin';
}

/**
 * Requires that writes are allowed for the caller. 400 for staff of a company that is deleted, or blocked for
 * debt.
 */
export function requireActive(actor: Actor, at: Instant): void {
  if (!isIn('company', actor)) return;
  if (!actor.isCompanyActive) throw badRequest('auth.company_inactive');
  requireUnblocked(actor, at);
}

/** Requires that the caller's family is not blocked for debt. 400 if it is. Contract 6. */
export function requireUnblocked({ blockAt }: Staff, at: Instant): void {
  if (blockAt !== undefined && blockAt <= at) throw badRequest('auth.company_blocked');
}

/**
 * Requires that a place of the caller's family may receive goods and money. 400 if its company is deleted:
 * then they may only leave, or return when an operation is undone. Families that are blocked, or have a
 * deleted main company, are rejected before. Contract 9.83.
 */
export function requireTrading(
  { deletedBranches }: Staff,
  { company_id }: { readonly company_id: number },
): void {
  if (deletedBranches.includes(company_id)) throw badRequest('auth.company_inactive');
}

/** Rights over people, their roles and keys: a program has none of them, regardless of its role. */
const USER_RIGHTS_PREFIX = 'company.user.';

/**
 * Returns true if the caller has a right: by their role, except rights that a key never has.
 * Super-administrators and directors have every right of their area. Part 4, 4.3.
 */
export function hasRight(actor: Actor, right: string): boolean {
  if (actor.type === 'key' && isUserRight(right)) return false;
  return isGivenRight(actor, right);
}

/** Requires a right: 403 that names it. Part 5, 5B.2 (3). */
export function requireRight(actor: Actor, right: string): void {
  if (!hasRight(actor, right)) throw rightRequired(right);
}

/** Returns true if a right, or one matching its wildcard, is over people. */
function isUserRight(right: string): boolean {
  return (
    right.startsWith(USER_RIGHTS_PREFIX) ||
    (right.endsWith('.*') && USER_RIGHTS_PREFIX.startsWith(right.slice(0, -1)))
  );
}

/** Returns true if the caller's role or type grants a right, including one that a key never has. */
export function isGivenRight(actor: Actor, right: string): boolean {
  if (actor.type === 'super_admin' || actor.type === 'director') return true;
  return actor.rights.some((held) => includesRight(held, right));
}

/**
 * Returns whether a caller may see what goods cost. Administrators and partners have no goods. Part 5, 5A.13.
 */
export function seesCosts(actor: Actor): boolean {
  return !isIn('company', actor) || hasRight(actor, COST_RIGHT);
}

/** Fields for a document's creator, and the impersonating administrator. Contract 3. */
export const madeBy = { creator_id: z.int(), impersonator_id: z.int().nullable() };

const Maker = z.object(madeBy);

/** A creator: a user, and the impersonating administrator. */
export type Maker = z.output<typeof Maker>;

/** Returns the creator of records that a call of this actor creates. */
export function makerOf({ id, impersonator }: Pick<Actor, 'id' | 'impersonator'>): Maker {
  return { creator_id: id, impersonator_id: impersonator?.user ?? null };
}
