import * as z from 'zod';
import { UserType } from '#lib/access/account.ts';
import { isIn } from '#lib/access/actor.ts';
import { keyOfCompany } from '#lib/people/company/company.ts';
import { getItem } from '#lib/table/reads.ts';
import { Id, optionalText, orNull, text } from '#lib/values/fields.ts';
import type { Phrase } from '#lib/values/messages/say.ts';
import { invalid } from '#lib/values/refusal.ts';
import { type Keeper, mayGive, openCompany } from './responsibility.ts';

/**
 * A right, or all below a word (`company.*`). A thousand fit into an item, and twenty such roles into a page.
 */
const Route = z
  .string()
  .max(100)
  .regex(/^[a-z\d_.*-]+$/);

/**
 * Input to make or edit a role. `company_id` is for directors' and employees' roles, `partner_id` for
 * partners'.
 */
export const RoleInput = z.object({
  type: UserType,
  name: text(255),
  description: optionalText(1000),
  new_routes: z.array(Route).max(1000),
  can_apply_sale_discount: z.boolean().default(false),
  company_id: orNull(Id),
  partner_id: orNull(Id),
});

export type RoleInput = z.output<typeof RoleInput>;

/** The same for a company's own staff: `company_id` is theirs unless another is given. */
export const FamilyRoleInput = RoleInput.omit({ partner_id: true })
  .extend({ type: z.enum(['director', 'employee']) })
  .transform((input) => ({ ...input, partner_id: null }));

/**
 * Finds whose a role is to be; 422 with every field that does not fit the role's type or the keeper's own
 * rights.
 */
export async function checkedOwner(actor: Keeper, input: RoleInput) {
  const problems = { ...placeProblems(actor, input), ...routeProblems(actor, input) };
  if (input.type === 'super_admin' && actor.type !== 'super_admin')
    problems['type'] = { key: 'role.super_administrator_only' };
  const key = isCompanyRole(input) ? keyOfCompany(input.company_id) : undefined;
  const company = key && openCompany(actor, await getItem(key));
  if (key && !company) problems['company_id'] = { key: 'validation.not_found' };
  if (input.can_apply_sale_discount && isIn('company', actor) && !actor.canDiscount)
    problems['can_apply_sale_discount'] = { key: 'role.right_not_held' };
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return {
    company_id: company?.id ?? null,
    family_id: company ? (company.parent_id ?? company.id) : null,
    partner_id: input.type === 'partner' ? input.partner_id : null,
  };
}

function placeProblems(actor: Keeper, { type, company_id, partner_id }: RoleInput): Record<string, Phrase> {
  if (isCompanyRole({ type }) && company_id === null) return { company_id: { key: 'validation.required' } };
  if (type === 'partner' && partner_id === null) return { partner_id: { key: 'validation.required' } };
  if (type === 'partner' && actor.companies !== 'all') return { partner_id: { key: 'validation.not_found' } };
  return {};
}

function routeProblems(actor: Keeper, { type, new_routes }: RoleInput): Record<string, Phrase> {
  const area = isCompanyRole({ type }) ? 'company' : type === 'partner' ? 'partner' : 'admin';
  const problems = new_routes.map((route, index): [string, Phrase | undefined] => {
    const path = `new_routes.${index}`;
    if (!route.startsWith(`${area}.`))
      return [path, { key: 'role.right_outside_area', with: { area: `${area}.` } }];
    return [path, mayGive(actor, type, route) ? undefined : { key: 'role.right_not_held' }];
  });
  return Object.fromEntries(problems.flatMap(([path, problem]) => (problem ? [[path, problem]] : [])));
}

function isCompanyRole({ type }: Pick<RoleInput, 'type'>): boolean {
  return type === 'director' || type === 'employee';
}
