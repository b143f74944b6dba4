import type { UserType } from '#lib/access/account.ts';
import type { Administrator } from '#lib/access/actor.ts';
import { any, type Expression, oneOf } from '#lib/table/expression.ts';
import { missing } from '#lib/values/refusal.ts';

/** Whose a user or a role is: its company's, or the platform's own. */
interface Owned {
  readonly type: UserType;
  readonly company_id: number | null;
}

const PLATFORM_TYPES: readonly UserType[] = ['admin', 'super_admin'];

/** Tells whether a company is open to an administrator. */
export function isOpen({ companies: open }: Administrator, companyId: number): boolean {
  return open === 'all' || open.includes(companyId);
}

/**
 * Lets an administrator at a user or a role, or throws 404. Who is responsible for chosen companies only reaches what
 * is theirs and the platform's own; a partner's is nobody's of them, as a partner has companies of any kind.
 */
export function requireReach(actor: Administrator, { type, company_id }: Owned): void {
  if (actor.companies === 'all' || PLATFORM_TYPES.includes(type)) return;
  if (company_id === null || !isOpen(actor, company_id)) throw missing();
}

/** What leaves a list of users or roles with those that `requireReach` lets an administrator at. */
export function withinReach({ companies: open }: Pick<Administrator, 'companies'>): Expression[] {
  if (open === 'all') return [];
  return [any([oneOf('type', PLATFORM_TYPES), oneOf('company_id', open)])];
}
