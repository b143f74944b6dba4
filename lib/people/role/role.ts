import type * as z from 'zod';
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

/** The query string of a family's list of roles, in longer pages than administrators have. Part 4, 4.1. */
export const FamilyRoleList = listQuery(roles.filters, { sorts: ['id'], ...roles, pageSize: MAX_PAGE_SIZE });

/** List and get the roles within a keeper's reach. */
export const { List, Embeds, list, get } = records;

/** Makes a role. 422 on `name` if its company, its partner or the platform has a role of that name. */
export function create(actor: AccountManager, given: RoleInput, at: Instant) {
  const input = { ...given, company_id: given.company_id ?? ownCompanyOf(actor) };
  return records.insert(
    actor,
    at,
    inBackground(checkOwner(actor, input).then((ids) => (base) => ({ ...base, ...input, ...ids }))),
  );
}

/**
 * Changes a role; its holders have the new rights from their next call on. Its type stays. 403 if it gives
 * more than the caller has.
 */
export function edit(actor: AccountManager, id: number, given: RoleInput, at: Instant) {
  return records.change(actor, id, at, async (before) => {
    requireHeld(actor, before);
    const input = { ...given, company_id: given.company_id ?? before.company_id };
    const owner = await checkOwner(actor, input);
    if (before.type !== input.type) throw invalid({ type: 'role.type_fixed' });
    return { ...before, ...input, ...owner };
  });
}

/** Deletes a role, softly. 400 if users have it, 403 if it gives more than the caller has. */
export async function remove(actor: AccountManager, id: number, at: Instant) {
  await records.change(actor, id, at, (before) => {
    requireHeld(actor, before);
    // The super-administrators who have it are not counted: the first is made together with it.
    if (before.is_given || before.type === 'super_admin') throw badRequest('role.in_use');
    return { ...before, is_deleted: true };
  });
}

/** Takes a deletion back. 403 if the role gives more than the caller has. */
export async function restore(actor: AccountManager, id: number, at: Instant) {
  requireHeld(actor, await records.find(actor, id));
  await records.restore(actor, id, at);
}

/** Gives the company that records of staff belong to unless another is given. */
export function ownCompanyOf(actor: AccountManager): number | null {
  return isIn('company', actor) ? actor.companyId : null;
}

/** Requires that a keeper holds every right that a role gives: 403 otherwise. Contract 3. */
function requireHeld(actor: AccountManager, role: z.input<typeof StoredRole>): void {
  const { new_routes: routes, can_apply_sale_discount: canDiscount } = role;
  // Directors have all rights without any role, so only what theirs says counts.
  const type = role.type === 'director' ? 'employee' : role.type;
  if (!hasRights(actor, { type, routes, canDiscount })) throw forbidden('role.beyond_yours');
}
