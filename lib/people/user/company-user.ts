import * as z from 'zod';
import { homeOfAccounts, type Keeper, peopleWithinReach } from '#lib/access/keeper.ts';
import { idOfGivenRole } from '#lib/people/role/given-role.ts';
import { ownCompanyOf } from '#lib/people/role/role.ts';
import { exact, exactOrList } from '#lib/records/query/filters.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import { listRecords } from '#lib/records/record.ts';
import { type NewBase, recordsOf } from '#lib/records/records-of.ts';
import { type Expression, oneOf } from '#lib/table/expression.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { Id } from '#lib/values/fields.ts';
import { invalid, refuse } from '#lib/values/refusal.ts';
import { begin } from '#lib/values/side-by-side.ts';
import type { Instant } from '#lib/values/time.ts';
import { requireAuthority } from './authority.ts';
import { newUser, passwordChange, personalChanges, requireOwnPassword } from './changes.ts';
import { checkReferences } from './checks.ts';
import type { ColleagueEdit, NewColleague } from './input.ts';
import { workersQuery } from './query.ts';
import { users } from './user.ts';

/** The query string of the list of companies' users. */
export const CompanyUserList = workersQuery({
  type: exact('type', z.enum(['director', 'employee'])),
  company_id: exactOrList('company_id', Id),
});

const records = recordsOf(users, {
  homeOf: (_: Keeper) => PLATFORM,
  stampOf: (_: Keeper) => ({}),
  reach: staffWithinReach,
});

/** One director or employee of the companies open to a keeper, with what was asked for. */
export const { get } = records;

/** Lists directors and employees of the companies open to a keeper. */
export function list(actor: Keeper, query: ListQuery) {
  return listRecords(users, homeOfAccounts(actor), {
    ...query,
    where: [...query.where, ...staffWithinReach(actor)],
  });
}

/** Makes a director or an employee. 422 on what the caller may not give. */
export function create(actor: Keeper, input: z.output<typeof NewColleague>, at: Instant) {
  return records.insert(actor, at, begin(companyUserOf(actor, input)));
}

/**
 * Changes one; desks and warehouses that are left out stay. A new password, and a move to another family, end
 * all their sessions. 403 for one who may more than the caller, 422 on what the caller may not give.
 */
export async function edit(actor: Keeper, id: number, input: z.output<typeof ColleagueEdit>, at: Instant) {
  const { type, role_id, username, cashbox_ids, stock_ids, are_all_companies_available } = input;
  requireRole(input);
  requireOwnPassword(actor, input);
  const secret = await passwordChange(input.new_password);
  return records.change(actor, id, at, async (before) => {
    await requireAuthority(actor, before);
    const company_id = input.company_id ?? before.company_id;
    const family_id = await checkReferences(actor, {
      id,
      type,
      username,
      role_id,
      company_id,
      family_id: before.family_id,
      cashbox_ids,
      stock_ids,
      held: before,
      responsibilities: [],
      everywhere: are_all_companies_available,
    });
    const isMoved = family_id !== before.family_id;
    return {
      ...before,
      ...(isMoved && { session: before.session + 1 }),
      ...secret(before.session),
      type,
      company_id,
      family_id,
      role_id: await roleFor(input, family_id),
      username,
      cashbox_ids: cashbox_ids ?? (isMoved ? [] : before.cashbox_ids),
      stock_ids: stock_ids ?? (isMoved ? [] : before.stock_ids),
      ...personalChanges(before, input),
      are_all_companies_available,
    };
  });
}

/** Deletes one, softly, and ends their sessions. 400 for oneself, 403 for one who may more. */
export async function remove(actor: Keeper, id: number, at: Instant) {
  await records.change(actor, id, at, async (before) => {
    await requireAuthority(actor, before);
    if (id === actor.id) throw refuse('user.protected');
    return { ...before, is_deleted: true, session: before.session + 1 };
  });
}

/** Takes a deletion back; the sessions stay ended. 403 for one who may more than the caller. */
export async function restore(actor: Keeper, id: number, at: Instant) {
  await requireAuthority(actor, await records.find(actor, id));
  await records.restore(actor, id, at);
}

async function companyUserOf(actor: Keeper, input: z.output<typeof NewColleague>) {
  const { type, username, cashbox_ids = [], stock_ids = [] } = input;
  requireRole(input);
  requireOwnPassword(actor, input);
  const company_id = input.company_id ?? ownCompanyOf(actor);
  const family_id = await checkReferences(actor, {
    type,
    username,
    role_id: input.role_id,
    company_id,
    cashbox_ids,
    stock_ids,
    responsibilities: [],
    everywhere: input.are_all_companies_available,
  });
  const [user, role_id] = await Promise.all([newUser(input), roleFor(input, family_id)]);
  return (base: NewBase) => {
    return { ...user, ...base, type, company_id, family_id, role_id, cashbox_ids, stock_ids };
  };
}

function staffWithinReach(actor: Keeper): Expression[] {
  return [oneOf('type', ['director', 'employee']), ...peopleWithinReach(actor)];
}

function requireRole({ type, role_id }: Pick<z.output<typeof ColleagueEdit>, 'type' | 'role_id'>): void {
  if (type === 'employee' && role_id === null) throw invalid({ role_id: 'validation.required' });
}

/** Gives a director without a role of their own the family's. Decisions, 3. */
async function roleFor(
  { type, role_id }: Pick<z.output<typeof ColleagueEdit>, 'type' | 'role_id'>,
  familyId: number | null,
): Promise<number | null> {
  if (type !== 'director' || role_id !== null || familyId === null) return role_id;
  return idOfGivenRole({ type, familyId });
}
