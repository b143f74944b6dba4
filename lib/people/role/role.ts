import type * as z from 'zod';
import { isIn } from '#lib/access/actor.ts';
import { hasRights, homeOfAccounts, type Keeper, peopleWithinReach } from '#lib/access/keeper.ts';
import { LONG_PAGE } from '#lib/records/query/filters.ts';
import { listQuery } from '#lib/records/query/list-query.ts';
import { recordsOf } from '#lib/records/records-of.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { badRequest, forbidden, invalid } from '#lib/values/api-error.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { checkOwner, type RoleInput } from './input.ts';
import { roles, type StoredRole } from './record.ts';

const records = recordsOf(roles, {
  homeOf: (_: Keeper) => PLATFORM,
  listHomeOf: homeOfAccounts,
  stampOf: ({ id: creator_id }: Keeper) => ({ creator_id }),
  reach: peopleWithinReach,
});

/** The query string of a family's list of roles, in longer pages than administrators have. Part 4, 4.1. */
export const FamilyRoleList = listQuery(roles.filters, { sorts: ['id'], ...roles, pageSize: LONG_PAGE });

/** List and get the roles within a keeper's reach. */
export const { List, Embeds, list, get } = records;

/** Makes a role. 422 on `name` if its company, its partner or the platform has a role of that name. */
export function create(actor: Keeper, given: RoleInput, at: Instant) {
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
export function edit(actor: Keeper, id: number, given: RoleInput, at: Instant) {
  return records.change(actor, id, at, async (before) => {
    requireHeld(actor, before);
    const input = { ...given, company_id: given.company_id ?? before.company_id };
    const owner = await checkOwner(actor, input);
    if (before.type !== input.type) throw invalid({ type: 'role.type_fixed' });
    return { ...before, ...input, ...owner };
  });
}

/** Deletes a role, softly. 400 if users have it, 403 if it gives more than the caller has. */
export async function remove(actor: Keeper, id: number, at: Instant) {
  await records.change(actor, id, at, (before) => {
    requireHeld(actor, before);
    // The super-administrators who have it are not counted: the first is made together with it.
    if (before.is_given || before.type === 'super_admin') throw badRequest('role.in_use');
    return { ...before, is_deleted: true };
  });
}

/** Takes a deletion back. 403 if the role gives more than the caller has. */
export async function restore(actor: Keeper, id: number, at: Instant) {
  requireHeld(actor, await records.find(actor, id));
  await records.restore(actor, id, at);
}

/** Gives the company that records of staff belong to unless another is given. */
export function ownCompanyOf(actor: Keeper): number | null {
  return isIn('company', actor) ? actor.companyId : null;
}

/** Requires that a keeper holds every right that a role gives: 403 otherwise. Decisions, 3. */
function requireHeld(actor: Keeper, role: z.input<typeof StoredRole>): void {
  const { new_routes: routes, can_apply_sale_discount: canDiscount } = role;
  // Directors have all rights without any role, so only what theirs says counts.
  const type = role.type === 'director' ? 'employee' : role.type;
  if (!hasRights(actor, { type, routes, canDiscount })) throw forbidden('role.beyond_yours');
}
