import * as z from 'zod';
import type { Administrator } from '#lib/access/actor.ts';
import type { Embed } from '#lib/records/embeds.ts';
import { exact, exactOrList } from '#lib/records/filters.ts';
import { type ListQuery, listQuery } from '#lib/records/list-query.ts';
import {
  editRecord,
  findRecord,
  getRecord,
  insertRecord,
  listRecords,
  restoreRecord,
} from '#lib/records/record.ts';
import { oneOf } from '#lib/table/expression.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { Id } from '#lib/values/fields.ts';
import { invalid, missing } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { newUser } from './new-user.ts';
import { isOpen } from './responsibility.ts';
import { userEmbeds, users } from './user.ts';
import { passwordChange, personalChanges } from './user-changes.ts';
import { checkReferences } from './user-checks.ts';
import type { CompanyUserEdit, NewCompanyUser } from './user-input.ts';

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

/** Directors and employees of the companies open to an administrator. */
export function list(actor: Administrator, query: ListQuery) {
  const staff = oneOf('type', ['director', 'employee']);
  const open = actor.companies === 'all' ? [] : [oneOf('company_id', actor.companies)];
  return listRecords(users, PLATFORM, { ...query, where: [...query.where, staff, ...open] });
}

/** One of them, with what was asked for. */
export async function get(actor: Administrator, id: number, wanted: readonly Embed[]) {
  const user = await getRecord({ type: users, home: PLATFORM, id }, wanted);
  requireOpen(actor, user.company_id);
  return user;
}

/** Makes a director or an employee. */
export async function create(actor: Administrator, input: z.output<typeof NewCompanyUser>, at: Instant) {
  const { type, company_id, role_id, username, cashbox_ids, stock_ids } = input;
  requireRole(input);
  const [id, family_id] = await Promise.all([
    nextId(users.type, PLATFORM),
    checkReferences(actor, { type, username, role_id, company_id, responsibilities: [], everywhere: false }),
  ]);
  const user = await newUser(id, input, at);
  return insertRecord(users, PLATFORM, {
    ...user,
    type,
    company_id,
    family_id,
    role_id,
    cashbox_ids,
    stock_ids,
  });
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
  return editRecord({ type: users, home: PLATFORM, id }, at, async (before) => {
    requireOpen(actor, before.company_id);
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
  await editRecord({ type: users, home: PLATFORM, id }, at, (before) => {
    requireOpen(actor, before.company_id);
    return { ...before, is_deleted: true, session: before.session + 1 };
  });
}

/** Takes a deletion back; the sessions stay ended. */
export async function restore(actor: Administrator, id: number, at: Instant) {
  const user = await findRecord({ type: users, home: PLATFORM, id });
  requireOpen(actor, user?.company_id ?? null);
  await restoreRecord({ type: users, home: PLATFORM, id }, at);
}

function requireOpen(actor: Administrator, companyId: number | null): void {
  if (companyId === null || !isOpen(actor, companyId)) throw missing();
}

function requireRole({ type, role_id }: Pick<z.output<typeof CompanyUserEdit>, 'type' | 'role_id'>): void {
  if (type === 'employee' && role_id === null) throw invalid({ role_id: 'validation.required' });
}
