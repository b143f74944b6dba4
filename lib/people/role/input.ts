import * as z from 'zod';
import { PersonType } from '#lib/auth/account.ts';
import { type AccountManager, canGrant, reachableCompany } from '#lib/auth/account-manager.ts';
import { isIn } from '#lib/auth/actor.ts';
import { isRight } from '#lib/auth/rights.ts';
import { keyOfCompany } from '#lib/people/company/known.ts';
import { getItem } from '#lib/table/read/get.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id, optionalText, orNull, text } from '#lib/values/fields.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

/**
 * A right, or a prefix of rights (`company.*`). A thousand fit into an item, and twenty such roles into a
 * page.
 */
const Route = z
  .string()
  .max(100)
  .regex(/^[a-z\d_.*-]+$/);

/**
 * Input to create or edit a role. `company_id` is for directors' and employees' roles, `partner_id` for
 * partners'.
 */
export const RoleInput = z.object({
  type: PersonType,
  name: text(255),
  description: optionalText(1000),
  new_routes: z.array(Route).max(1000),
  can_apply_sale_discount: z.boolean().default(false),
  company_id: orNull(Id),
  partner_id: orNull(Id),
});

export type RoleInput = z.output<typeof RoleInput>;

/** The same for a company's own staff: `company_id` is theirs by default. */
export const FamilyRoleInput = RoleInput.omit({ partner_id: true })
  .extend({ type: enumeration('user.type', ['director', 'employee']) })
  .transform((input) => ({ ...input, partner_id: null }));

/**
 * Resolves the owner of a role; 422 on every field that does not fit the role's type or the caller's own
 * rights.
 */
export async function checkOwner(actor: AccountManager, input: RoleInput) {
  const issues = new ValidationIssues();
  checkPlace(actor, input, issues);
  checkRoutes(actor, input, issues);
  if (input.type === 'super_admin' && actor.type !== 'super_admin')
    issues.add('type', 'role.super_administrator_only');
  const key = isCompanyRole(input) ? keyOfCompany(input.company_id) : undefined;
  const company = key && reachableCompany(actor, await getItem(key));
  if (key && !company) issues.add('company_id', 'validation.not_found');
  if (input.can_apply_sale_discount && isIn('company', actor) && !actor.canDiscount)
    issues.add('can_apply_sale_discount', 'role.right_not_held');
  issues.throwIfAny();
  return {
    company_id: company?.id ?? null,
    family_id: company ? (company.parent_id ?? company.id) : null,
    partner_id: input.type === 'partner' ? input.partner_id : null,
  };
}

function checkPlace(
  actor: AccountManager,
  { type, company_id, partner_id }: RoleInput,
  issues: ValidationIssues,
): void {
  if (isCompanyRole({ type }) && company_id === null) issues.add('company_id', 'validation.required');
  if (type !== 'partner') return;
  if (partner_id === null) issues.add('partner_id', 'validation.required');
  if (actor.companies !== 'all') issues.add('partner_id', 'validation.not_found');
}

function checkRoutes(actor: AccountManager, { type, new_routes }: RoleInput, issues: ValidationIssues): void {
  const area = isCompanyRole({ type }) ? 'company' : type === 'partner' ? 'partner' : 'admin';
  for (const [index, route] of new_routes.entries()) {
    const path = `new_routes.${index}`;
    if (!route.startsWith(`${area}.`))
      issues.add(path, { key: 'role.right_outside_area', with: { area: `${area}.` } });
    else if (!isRight(route)) issues.add(path, 'role.no_such_right');
    else if (!canGrant(actor, type, route))
      issues.add(path, { key: 'role.right_not_held', with: { right: route } });
  }
}

function isCompanyRole({ type }: Pick<RoleInput, 'type'>): boolean {
  return type === 'director' || type === 'employee';
}
