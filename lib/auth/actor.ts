import * as z from 'zod';
import type { Tenant } from '#lib/table/keys.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import type { AccountStanding, UserType } from './account.ts';
import type { Impersonator } from './tokens.ts';

interface Caller {
  readonly id: number;
  readonly username: string;
  /** The session of their token: what renews it requires that it has not ended by then. */
  readonly session: number;
  /** The administrator behind an `auth-as` token. */
  readonly impersonator?: Impersonator;
  readonly rights: readonly string[];
}

/** A platform administrator: reaches `/admin/*`. */
export interface Administrator extends Caller {
  readonly type: Extract<UserType, 'admin' | 'super_admin'>;
  /** The companies open to them. */
  readonly companies: 'all' | readonly number[];
  readonly roleId: number | null;
}

/** A partner's user: reaches `/partner/*`. */
export interface PartnerUser extends Caller {
  readonly type: Extract<UserType, 'partner'>;
  readonly partnerId: number;
  readonly tenant: Tenant;
}

/** A company's director, employee or key: reaches `/company/*`, within their family only. */
export interface Staff extends Caller {
  readonly type: Extract<UserType, 'director' | 'employee' | 'key'>;
  readonly companyId: number;
  readonly familyId: number;
  /** The home of the family's records. */
  readonly tenant: Tenant;
  /** Companies of the family that are open to them. */
  readonly companies: 'all' | readonly number[];
  /** The warehouses and cash desks of those companies that are open to them. */
  readonly warehouses: 'all' | readonly number[];
  readonly cashDesks: 'all' | readonly number[];
  readonly canDiscount: boolean;
  /** False if the company is deleted: then nothing may be written. Contract 3. */
  readonly isCompanyActive: boolean;
  /** Branches of the family that are deleted: there nothing is sold or brought in. Contract 9.83. */
  readonly deletedBranches: readonly number[];
  /**
   * When their family is blocked for debt, if nothing is paid: from then on nothing may be written either.
   */
  readonly blockAt?: Instant | undefined;
  /** True if their own company works with cash shifts; undefined if nobody has looked. */
  readonly hasShifts?: boolean | undefined;
  /** What their family says of sales; undefined if nobody has looked. */
  readonly saleSettings?: AccountStanding['sale_settings'];
  /** True if their own company is paid by bank; undefined if nobody has looked. */
  readonly takesBank?: boolean | undefined;
  /** The acting system's key, if one acts as the company's director. Part 1, "Authentication", 3. */
  readonly externalKey?: { readonly id: number; readonly name: string };
  /** The desk of their POS sign-in, if they signed in so. */
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

/** The first word of a path, which must fit the user's type. Part 1, "Authentication", 2. */
export type Area = 'admin' | 'partner' | 'company';

/** Kinds of caller that an area is for. */
export interface AreaActors {
  admin: Administrator;
  partner: PartnerUser;
  company: Staff;
}

/** Tells whether a caller belongs in an area. */
export function isIn<A extends Area>(area: A, actor: Actor): actor is AreaActors[A] & Actor {
  return areaOf(actor) === area;
}

function areaOf({ type }: Actor): Area {
  if (type === 'director' || type === 'employee' || type === 'key') return 'company';
  return type === 'partner' ? 'partner' : 'admin';
}

/**
 * Requires that something may be written for the caller. 400 for staff of a company that is deleted, or
 * blocked for debt.
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
 * Requires that goods and money may come to a place of the caller's family. 400 if its company is deleted:
 * then they only leave, or come back by what is undone. Whoever may call at all has no blocked family, and a
 * main company that is not deleted. Contract 9.83.
 */
export function requireTrading(
  { deletedBranches }: Staff,
  { company_id }: { readonly company_id: number },
): void {
  if (deletedBranches.includes(company_id)) throw badRequest('auth.company_inactive');
}

/** Rights over people, their roles and keys: a program has none of them, whatever its role says. */
const OF_PEOPLE = 'company.user.';

/**
 * Tells whether the caller has a right: by their role, but for what a key never has. Super-administrators and
 * directors have every right of their area. Part 4, 4.3.
 */
export function hasRight(actor: Actor, right: string): boolean {
  if (actor.type === 'key' && isOfPeople(right)) return false;
  return isGivenRight(actor, right);
}

/** Tells whether a right, or one of those that begin so, is over people. */
function isOfPeople(right: string): boolean {
  return right.startsWith(OF_PEOPLE) || (right.endsWith('.*') && OF_PEOPLE.startsWith(right.slice(0, -1)));
}

/** Tells whether the caller's role carries a right, or their type does: also one that a key never has. */
export function isGivenRight(actor: Actor, right: string): boolean {
  if (actor.type === 'super_admin' || actor.type === 'director') return true;
  return actor.rights.some(
    (held) => held === right || (held.endsWith('.*') && right.startsWith(held.slice(0, -1))),
  );
}

/** Fields for who made a document, and for the administrator who acted as them. Contract 3. */
export const madeBy = { creator_id: z.int(), impersonator_id: z.int().nullable() };

const Maker = z.object(madeBy);

/** Who makes something: a user, and the administrator who acts as them. */
export type Maker = z.output<typeof Maker>;

/** Names who makes what a call of this actor makes. */
export function makerOf({ id, impersonator }: Pick<Actor, 'id' | 'impersonator'>): Maker {
  return { creator_id: id, impersonator_id: impersonator?.user ?? null };
}
