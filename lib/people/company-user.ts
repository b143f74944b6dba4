import * as z from 'zod';
import type { Administrator } from '#lib/access/actor.ts';
import { exact, exactOrList } from '#lib/records/filters.ts';
import { listQuery } from '#lib/records/list-query.ts';
import { type NewBase, ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { oneOf } from '#lib/table/expression.ts';
import { Id } from '#lib/values/fields.ts';
import { invalid } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { newUser } from './new-user.ts';
import { userEmbeds, users } from './user.ts';
import { passwordChange, personalChanges } from './user-changes.ts';
import { checkReferences } from './user-checks.ts';
import type { CompanyUserEdit, NewCompanyUser } from './user-input.ts';
import { among } from './workplace.ts';

/** The query string of the list of companies' users. */
export const CompanyUserList = listQuery({
  filters: {
    id: exactOrList('id', Id),
    type: exact('type', z.enum(['director', 'employee'])),
    role_id: exact('role_id', Id),
    company_id: exactOrList('company_id', Id),
    username: exact('username', z.string()),
    phone: exact('phone', z.string()),
  },
  sorts: ['id', 'username'],
  embeds: userEmbeds,
  pageSize: 20,
});

const records = recordsOf(users, {
  ...ofPlatform,
  reach: ({ companies }) => [oneOf('type', ['director', 'employee']), ...among('company_id', companies)],
});

/** Directors and employees of the companies open to an administrator, to list, get and restore: the sessions stay ended. */
export const { list, get, restore } = records;

/** Makes a director or an employee. */
export function create(actor: Administrator, input: z.output<typeof NewCompanyUser>, at: Instant) {
  return records.insert(actor, at, companyUserOf(actor, input));
}

/** Changes one. A new password, and a move to another family, end all their sessions. */
export async function edit(
  actor: Administrator,
  id: number,
  input: z.output<typeof CompanyUserEdit>,
  at: Instant,
) {
  const { type, company_id, role_id, username, cashbox_ids, stock_ids } = input;
  requireRole(input);
  const secret = await passwordChange(input.new_password);
  return records.change(actor, id, at, async (before) => {
    const family_id = await checkReferences(actor, {
      id,
      type,
      username,
      role_id,
      company_id,
      responsibilities: [],
      everywhere: false,
    });
    return {
      ...before,
      ...(family_id !== before.family_id && { session: before.session + 1 }),
      ...secret(before.session),
      type,
      company_id,
      family_id,
      role_id,
      username,
      cashbox_ids,
      stock_ids,
      ...personalChanges(before, input),
      are_all_companies_available: input.are_all_companies_available,
    };
  });
}

/** Deletes one, softly, and ends their sessions. */
export async function remove(actor: Administrator, id: number, at: Instant) {
  await records.change(actor, id, at, (before) => ({
    ...before,
    is_deleted: true,
    session: before.session + 1,
  }));
}

async function companyUserOf(actor: Administrator, input: z.output<typeof NewCompanyUser>) {
  const { type, company_id, role_id, username, cashbox_ids, stock_ids } = input;
  requireRole(input);
  const given = { type, username, role_id, company_id, responsibilities: [], everywhere: false };
  const family_id = await checkReferences(actor, given);
  const user = await newUser(input);
  return (base: NewBase) => ({
    ...user,
    ...base,
    type,
    company_id,
    family_id,
    role_id,
    cashbox_ids,
    stock_ids,
  });
}

function requireRole({ type, role_id }: Pick<z.output<typeof CompanyUserEdit>, 'type' | 'role_id'>): void {
  if (type === 'employee' && role_id === null) throw invalid({ role_id: 'validation.required' });
}
