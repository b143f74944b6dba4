import * as z from 'zod';
import { Grants } from '#lib/auth/account.ts';
import { canReach, hasRights } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { roles } from '#lib/people/role/record.ts';
import { isPresent } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { forbidden } from '#lib/values/api-error.ts';
import { Id, listOf, orNull, text } from '#lib/values/fields.ts';
import { type Instant, TimestampField } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { canReachFamily } from './authority.ts';

const ids = listOf(Id, 100);

/** Input to create or edit an API key. Part 4, 4.3. */
export const ProgramKeyInput = z.object({
  name: text(255),
  role_id: Id,
  company_id: orNull(Id),
  are_all_companies_available: z.boolean().default(false),
  company_ids: ids,
  cashbox_ids: ids,
  stock_ids: ids,
  expires_at: orNull(TimestampField),
});

export type ProgramKeyInput = z.output<typeof ProgramKeyInput>;

/** A grant of a form to a key. */
interface Grant {
  readonly path: string;
  readonly type: string;
  readonly id: number;
  /** Returns whether the creator holds it. */
  readonly isHeld: (item: Item) => boolean;
}

/**
 * Validates the grants of a form in one round trip. 422 on each field that does not exist in the family, and
 * on an expiry in the past; 403 if the creator does not hold all of them.
 */
export async function checkProgramKey(
  actor: Staff,
  form: ProgramKeyInput & { readonly company_id: number },
  at: Instant,
): Promise<void> {
  const given = grantsOf(actor, form);
  const items = await getItems(given.map(({ type, id }) => recordKey(type, actor.tenant, id)));
  const issues = new ValidationIssues();
  const { expires_at, are_all_companies_available: everywhere } = form;
  if (expires_at !== null && expires_at <= at) issues.add('expires_at', 'key.expired_already');
  for (const [index, { path }] of given.entries()) {
    if (!isPresent(items[index])) issues.add(path, 'validation.not_found');
  }
  issues.throwIfAny();
  const isAllHeld = given.every(({ isHeld }, index) => isHeld(items[index] ?? {}));
  if (!isAllHeld || (everywhere && !(await canReachFamily(actor, actor.familyId))))
    throw forbidden('role.right_not_held');
}

function grantsOf(actor: Staff, form: ProgramKeyInput & { readonly company_id: number }): Grant[] {
  const isOpen = (_: Item, id: number) => canReach(actor, id);
  const { cashDesks, warehouses } = actor;
  return [
    { path: 'role_id', type: roles.type, id: form.role_id, isHeld: (role) => holdsRole(actor, role) },
    ...each('company_id', 'company', [form.company_id], isOpen).map((company) => ({
      ...company,
      path: 'company_id',
    })),
    ...each('company_ids', 'company', form.company_ids, isOpen),
    ...each('cashbox_ids', 'cashbox', form.cashbox_ids, (desk, id) => holdsPlace(actor, cashDesks, desk, id)),
    ...each('stock_ids', 'stock', form.stock_ids, (stock, id) => holdsPlace(actor, warehouses, stock, id)),
  ];
}

function each(
  field: string,
  type: string,
  list: readonly number[],
  isHeld: (item: Item, id: number) => boolean,
): Grant[] {
  return list.map((id, index) => ({
    path: `${field}.${index}`,
    type,
    id,
    isHeld: (item) => isHeld(item, id),
  }));
}

/**
 * Returns whether the caller has all rights of a role of the family; a director's role counts by its own
 * rights.
 */
function holdsRole(actor: Staff, role: Item): boolean {
  const { new_routes: routes, can_apply_sale_discount: canDiscount } = Grants.parse(role);
  return hasRights(actor, { type: 'employee', routes, canDiscount });
}

const Place = z.object({ company_id: z.int() });

function holdsPlace(actor: Staff, open: 'all' | readonly number[], item: Item, id: number): boolean {
  return (open === 'all' || open.includes(id)) && canReach(actor, Place.parse(item).company_id);
}
