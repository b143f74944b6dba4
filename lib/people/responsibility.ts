import type { UserType } from '#lib/access/account.ts';
import { type Administrator, hasRight, isIn, type Staff } from '#lib/access/actor.ts';
import { any, type Expression, equals, oneOf } from '#lib/table/expression.ts';
import { forbidden } from '#lib/values/refusal.ts';

/** Who keeps the accounts and roles of companies: administrators, and a family's own staff. */
export type Keeper = Administrator | Staff;

/** What an account or a role lets its holders do, and where. */
interface Powers {
  readonly type: UserType;
  readonly routes: readonly string[];
  readonly canDiscount: boolean;
  /** Whether all companies of its family are open by it. */
  readonly everywhere: boolean;
}

const PLATFORM_TYPES: readonly UserType[] = ['admin', 'super_admin'];

/** Tells whether a company is open to an administrator. */
export function isOpen({ companies: open }: Pick<Administrator, 'companies'>, companyId: number): boolean {
  return open === 'all' || open.includes(companyId);
}

/** Tells whether a company is open to a keeper: to staff one of their own family. */
export function isOpenTo(
  actor: Keeper,
  { id, parent_id }: { readonly id: number; readonly parent_id: number | null },
): boolean {
  return isOpen(actor, id) && (!isIn('company', actor) || (parent_id ?? id) === actor.familyId);
}

/**
 * What holds of the users and roles that a keeper reaches. An administrator who is responsible for chosen
 * companies only reaches what is theirs and the platform's own; a partner's is nobody's of them, as a partner
 * has companies of any kind.
 */
export function withinReach(actor: Keeper | Pick<Administrator, 'companies'>): Expression[] {
  const open = actor.companies === 'all' ? [] : [oneOf('company_id', actor.companies)];
  if ('familyId' in actor) return [equals('family_id', actor.familyId), ...open];
  if (actor.companies === 'all') return [];
  return [any([oneOf('type', PLATFORM_TYPES), oneOf('company_id', actor.companies)])];
}

/**
 * Tells whether a keeper may give a right to users of a type, or change what has it: staff what they hold
 * themselves, administrators the same within their own area.
 */
export function mayGive(actor: Keeper, type: UserType, route: string): boolean {
  const isOwnArea = isIn('company', actor) || PLATFORM_TYPES.includes(type);
  return !isOwnArea || hasRight(actor, route);
}

/**
 * Tells whether staff have all that an account or a role gives: a director has all rights there are in a
 * company, whatever the role says. Administrators keep whatever they reach.
 */
export function hasPowers(actor: Keeper, { type, routes, canDiscount, everywhere }: Powers): boolean {
  if (!isIn('company', actor)) return true;
  const wanted = type === 'director' ? ['company.*'] : routes;
  if (!wanted.every((route) => hasRight(actor, route))) return false;
  return (actor.canDiscount || !canDiscount) && (actor.companies === 'all' || !everywhere);
}

/** Requires it: 403 otherwise. Decisions, 3. */
export function requirePowers(actor: Keeper, powers: Powers): void {
  if (!hasPowers(actor, powers)) throw forbidden('role.beyond_yours');
}
