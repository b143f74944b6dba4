import type * as z from 'zod';
import { RoleRights } from '#lib/auth/account.ts';
import {
  type AccountManager,
  accountsInReach,
  hasRights,
  tenantOfAccounts,
} from '#lib/auth/account-manager.ts';
import { isIn } from '#lib/auth/actor.ts';
import { MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { listQuery } from '#lib/records/query/list-query.ts';
import { recordsOf } from '#lib/records/records-of.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { badRequest, forbidden, invalid } from '#lib/values/api-error.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { checkOwner, type RoleInput } from './input.ts';
import { roles, type StoredRole } from './record.ts';

const records = recordsOf(roles, {
  homeOf: (_: AccountManager) => PLATFORM,
  listHomeOf: tenantOfAccounts,
  stampOf: ({ id: creator_id }: AccountManager) => ({ creator_id }),
  reach: accountsInReach,
});

/** Query string of a family's list of roles, with longer pages than administrators'. Part 4, 4.1. */
export const FamilyRoleList = listQuery(roles.filters, { sorts: ['id'], ...roles, pageSize: MAX_PAGE_SIZE });

/** List and get the roles within an account manager's reach. */
export const { List, Embeds, list, get } = records;

/** Creates a role. 422 on `name` if it is taken within its family, its partner or the platform. */
export function create(actor: AccountManager, given: RoleInput, at: Instant) {
  const input = { ...given, company_id: given.company_id ?? ownCompanyOf(actor) };
  const stored = { ...input, new_routes: RoleRights.encode(input.new_routes) };
  return records.insert(
    actor,
    at,
    inBackground(checkOwner(actor, input).then((ids) => (base) => ({ ...base, ...stored, ...ids }))),
  );
}

/**
 * Edits a role; its users have the new rights from their next request on. The type is fixed. 403 if it
 * exceeds the caller's rights.
 */
export function edit(actor: AccountManager, id: number, given: RoleInput, at: Instant) {
  return records.change(actor, id, at, async (before) => {
    requireHeld(actor, before);
    const input = { ...given, company_id: given.company_id ?? before.company_id };
    const owner = await checkOwner(actor, input);
    if (before.type !== input.type) throw invalid({ type: 'role.type_fixed' });
    return { ...before, ...input, ...owner, new_routes: RoleRights.encode(input.new_routes) };
  });
}

/** Deletes a role softly. 400 if users have it, 403 if it exceeds the caller's rights. */
export async function remove(actor: AccountManager, id: number, at: Instant) {
  await records.change(actor, id, at, (before) => {
    requireHeld(actor, before);
    // Super-administrators are not counted as users of a role: the first is created together with it.
    if (before.is_given || before.type === 'super_admin') throw badRequest('role.in_use');
    return { ...before, is_deleted: true };
  });
}

/** Restores a role. 403 if it exceeds the caller's rights. */
export async function restore(actor: AccountManager, id: number, at: Instant) {
  requireHeld(actor, await records.find(actor, id));
  await records.restore(actor, id, at);
}

/** Returns the default company of records created by staff. */
export function ownCompanyOf(actor: AccountManager): number | null {
  return isIn('company', actor) ? actor.companyId : null;
}

/** Requires that an account manager holds every right of a role: 403 otherwise. Contract 3. */
function requireHeld(actor: AccountManager, role: z.input<typeof StoredRole>): void {
  const { can_apply_sale_discount: canDiscount } = role;
  const routes = RoleRights.decode(role.new_routes);
  // Directors have all rights without a role, so only the role's own rights count.
  const type = role.type === 'director' ? 'employee' : role.type;
  if (!hasRights(actor, { type, routes, canDiscount })) throw forbidden('role.beyond_yours');
}
