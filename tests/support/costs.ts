import { RoleRights } from '#lib/auth/account.ts';
import { RIGHTS } from '#lib/auth/rights.ts';
import { COST_RIGHT } from '#lib/values/cost.ts';
import { newRole } from './family.ts';
import type { Family } from './provisioning.ts';
import { insertUser, type TestUser } from './users.ts';

/** Names of fields that reveal costs wherever they are. Part 5, 5A.13. */
const COSTS = new Set([
  ...['cost', 'previous_cost', 'returned_cost', 'costs', 'last_cost', 'purchased_amount'],
  ...['profit', 'margin_percent', 'markup_percent', 'previous_markup_percent', 'markup_summary'],
  ...['cost_corrections', 'gone_amount', 'report_amount'],
]);

/** Returns whether a field of this name reveals a cost. A bonus share has a `gone_amount`, too. */
export function isCostName(name: string, path = ''): boolean {
  return COSTS.has(name) && !path.includes('bonus_shares');
}

/** Lists the paths of costs in an answer. */
export function costsIn(answer: unknown, path = ''): string[] {
  if (typeof answer !== 'object' || answer === null) return [];
  return Object.entries(answer).flatMap(([name, value]) => {
    const at = `${path}.${name}`;
    return isCostName(name, path) && value !== null ? [at] : costsIn(value, at);
  });
}

/** Creates an employee with all rights of a company but that to see costs, and returns a token. */
export async function newClerk(
  { companyId }: Pick<Family, 'companyId'>,
  given: Partial<TestUser> = {},
): Promise<string> {
  const place = { company_id: companyId, family_id: companyId };
  const rights = RIGHTS.filter((right) => right.startsWith('company.') && right !== COST_RIGHT);
  const new_routes = RoleRights.encode(rights);
  const role = { type: 'employee', new_routes, can_apply_sale_discount: true, ...place } as const;
  const own = { role_id: await newRole(role), are_all_companies_available: true };
  return (await insertUser({ type: 'employee', ...own, ...place, ...given })).token;
}
