import type * as z from 'zod';
import type { AccountManager } from '#lib/auth/account-manager.ts';
import { defaultRoleId } from '#lib/people/role/default-role.ts';
import { ownCompanyOf } from '#lib/people/role/role.ts';
import { exact, exactOrList, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { oneOf } from '#lib/table/expression.ts';
import { invalid } from '#lib/values/api-error.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id } from '#lib/values/fields.ts';
import type { Instant } from '#lib/values/time.ts';
import { requireOwnPassword } from './changes.ts';
import { checkReferences } from './checks.ts';
import type { ColleagueEdit, NewColleague } from './input.ts';
import { dismissalOf } from './made-keys.ts';
import type { StoredUser } from './user.ts';
import { UserKind, workersQuery } from './user-kind.ts';

const filters = {
  type: exact('type', enumeration('user.type', ['director', 'employee'])),
  company_id: exactOrList('company_id', Id),
};

/** Query string of the list of companies' users, for administrators. */
export const CompanyUserList = workersQuery(filters);

/** The same for their colleagues, with longer pages. Part 4, 4.1. */
export const ColleagueList = workersQuery(filters, MAX_PAGE_SIZE);

const companyUsers = new UserKind<AccountManager>(oneOf('type', ['director', 'employee']));

/** List, get and restore directors and employees of the companies open to an account manager. */
export const { list, get, restore } = companyUsers;

type Form = z.output<typeof ColleagueEdit>;

/** Creates a director or an employee. 422 on fields that the caller may not grant. */
export async function create(actor: AccountManager, input: z.output<typeof NewColleague>, at: Instant) {
  requireFit(actor, input);
  return companyUsers.create(actor, input, at, () => decide(actor, input));
}

/**
 * Edits one; omitted desks and warehouses stay. 403 for a user with more rights than the caller, 422 on
 * fields that the caller may not grant.
 */
export async function edit(actor: AccountManager, id: number, input: Form, at: Instant) {
  requireFit(actor, input);
  return companyUsers.edit(actor, { id, form: input, at }, (before) => decide(actor, input, before));
}

/** Deletes one, and returns the active API keys that they created. 400 for oneself. Contract 9.140. */
export async function remove(actor: AccountManager, id: number, occasion: Parameters<typeof dismissalOf>[1]) {
  return dismissalOf(await companyUsers.dismiss(actor, id, occasion.at), occasion);
}

function requireFit(actor: AccountManager, input: Form): void {
  if (input.type === 'employee' && input.role_id === null) throw invalid({ role_id: 'validation.required' });
  requireOwnPassword(actor, input);
}

/** Validates a form's references, and returns the user's workplace and role. */
async function decide(actor: AccountManager, input: Form, before?: z.input<typeof StoredUser>) {
  const { type, are_all_companies_available } = input;
  const company_id = input.company_id ?? (before ? before.company_id : ownCompanyOf(actor));
  const references = { ...input, company_id, everywhere: are_all_companies_available, before };
  const family_id = await checkReferences(actor, references);
  // Another family has other desks and warehouses.
  const former = before?.family_id === family_id ? before : { cashbox_ids: [], stock_ids: [] };
  return {
    type,
    company_id,
    family_id,
    role_id: await roleFor(input, family_id),
    cashbox_ids: input.cashbox_ids ?? former.cashbox_ids,
    stock_ids: input.stock_ids ?? former.stock_ids,
    are_all_companies_available,
  };
}

/** Returns the role of a user; a director without one gets the family's default role. Contract 3. */
async function roleFor({ type, role_id }: Form, familyId: number | null): Promise<number | null> {
  if (type !== 'director' || role_id !== null || familyId === null) return role_id;
  return defaultRoleId({ type, familyId });
}
