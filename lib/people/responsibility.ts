import type { UserType } from '#lib/access/account.ts';
import type { Administrator } from '#lib/access/actor.ts';
import { any, type Expression, oneOf } from '#lib/table/expression.ts';

const PLATFORM_TYPES: readonly UserType[] = ['admin', 'super_admin'];

/** Tells whether a company is open to an administrator. */
export function isOpen({ companies: open }: Administrator, companyId: number): boolean {
  return open === 'all' || open.includes(companyId);
}

/**
 * What holds of the users and roles that an administrator reaches. Who is responsible for chosen companies only reaches
 * what is theirs and the platform's own; a partner's is nobody's of them, as a partner has companies of any kind.
 */
export function withinReach({ companies: open }: Pick<Administrator, 'companies'>): Expression[] {
  if (open === 'all') return [];
  return [any([oneOf('type', PLATFORM_TYPES), oneOf('company_id', open)])];
}
