import * as z from 'zod';
import { Grants, type UserType } from '#lib/access/account.ts';
import { hasRights, type Keeper, mayGive } from '#lib/access/keeper.ts';
import type { Item } from '#lib/table/client.ts';
import type { Problem } from '#lib/values/problems.ts';

/** A part of a form: a user of this type is to have this role. */
interface Wanted {
  readonly type: UserType;
  readonly role_id: number | null;
  readonly partner_id?: number | null;
}

const RoleToGive = Grants.extend({
  type: z.string(),
  family_id: z.int().nullable(),
  partner_id: z.int().nullable(),
  is_deleted: z.literal(false),
});

/** Tells what keeps a form's user from having the role of an item; undefined if nothing does. */
export function roleProblem(
  actor: Keeper,
  { type, role_id, partner_id = null }: Wanted,
  item: Item | undefined,
  family: number | null,
): Problem | undefined {
  if (role_id === null) return undefined;
  const role = RoleToGive.safeParse(item).data;
  if (!role || (family !== null && role.family_id !== family)) return 'validation.not_found';
  if (partner_id !== null && role.partner_id !== partner_id) return 'validation.not_found';
  if (role.type !== type) return 'user.role_of_other_type';
  const { new_routes: routes, can_apply_sale_discount: canDiscount } = role;
  const isHeld =
    routes.every((route) => mayGive(actor, type, route)) &&
    hasRights(actor, { type: type === 'director' ? 'employee' : type, routes, canDiscount });
  return isHeld ? undefined : 'role.right_not_held';
}
