import * as z from 'zod';
import type { Account, UserType } from '#lib/auth/account.ts';
import {
  type AccountManager,
  canReach,
  hasRights,
  isPlatformAccount,
  reachableCompany,
} from '#lib/auth/account-manager.ts';
import { isIn } from '#lib/auth/actor.ts';
import { companies } from '#lib/people/company/record.ts';
import { roles } from '#lib/people/role/record.ts';
import type { Item } from '#lib/table/client.ts';
import { familyTenant, keyIfAny, PLATFORM, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { ownerIn, uniqueConstraintKey } from '#lib/table/transaction/unique-constraints.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { canReachFamily, roleIssue } from './authority.ts';
import { type StoredUser, users } from './user.ts';

/** References of a user's form. */
interface References {
  readonly type: UserType;
  readonly username: string;
  readonly role_id: number | null;
  /** Company in the form. */
  readonly company_id: number | null;
  readonly partner_id?: number | null;
  readonly responsibilities?: readonly number[];
  /** True if all companies are to be open: to an administrator all existing ones, to staff their family's. */
  readonly everywhere: boolean;
  /** Desks and warehouses to open; those already open are not looked up. */
  readonly cashbox_ids?: readonly number[] | undefined;
  readonly stock_ids?: readonly number[] | undefined;
  /** The edited user, who may keep the username, and whose family applies if no company is given. */
  readonly before?: z.input<typeof StoredUser> | undefined;
}

const OpenPlace = z.object({ company_id: z.int(), is_deleted: z.literal(false) });

/**
 * Validates all references of a user's form in one round trip, and returns the user's family. 422 on each
 * invalid field: a role of another type or family or with rights that the caller lacks; companies, desks and
 * warehouses out of reach; a taken username. Two round trips with desks or warehouses.
 */
export async function checkReferences(
  actor: AccountManager,
  given: References,
): Promise<Account['family_id']> {
  const { before, responsibilities = [] } = given;
  const [name, role, company, ...responsible] = await getItems([
    uniqueConstraintKey(users.type, { path: 'username', scope: PLATFORM, text: given.username }),
    keyIfAny(given.role_id, (id) => recordKey(roles.type, PLATFORM, id)),
    keyIfAny(given.company_id, (id) => recordKey(companies.type, PLATFORM, id)),
    ...responsibilities.map((id) => recordKey(companies.type, PLATFORM, id)),
  ]);
  const place = reachableCompany(actor, company);
  const family = place ? (place.parent_id ?? place.id) : (before?.family_id ?? null);
  const issues = new ValidationIssues();
  if (isTaken(name, given)) issues.add('username', 'validation.taken');
  if (!(await mayHaveType(actor, given, place))) issues.add('type', 'role.right_not_held');
  if (given.company_id !== null && !place) issues.add('company_id', 'validation.not_found');
  if (given.everywhere && !(await mayOpenAll(actor, given, family)))
    issues.add('are_all_companies_available', 'role.right_not_held');
  const unfit = roleIssue(actor, given, role, family);
  if (unfit) issues.add('role_id', unfit);
  for (const [index, item] of responsible.entries()) {
    if (!reachableCompany(actor, item))
      issues.add(`companies_responsibility.${index}`, 'validation.not_found');
  }
  if (family !== null) await checkPlaces(actor, family, given, issues);
  issues.throwIfAny();
  return family;
}

/**
 * Returns whether an account manager may create a user of a type. A director has every right in the company,
 * and in its branches too if it is a main company.
 */
async function mayHaveType(
  actor: AccountManager,
  { type }: References,
  place: ReturnType<typeof reachableCompany>,
): Promise<boolean> {
  if (type !== 'director') return true;
  const isOverFamily = place?.parent_id === null;
  return (
    hasRights(actor, { type, routes: [], canDiscount: true }) &&
    (!isOverFamily || (await canReachFamily(actor, place.id)))
  );
}

/**
 * Returns whether an account manager may open all companies to a user: they must be open to the manager, all
 * of the platform or of the user's family.
 */
async function mayOpenAll(
  actor: AccountManager,
  { type }: References,
  family: number | null,
): Promise<boolean> {
  if (actor.companies === 'all') return true;
  // Without a family, the issue is on the company.
  return !isPlatformAccount(type) && (family === null || canReachFamily(actor, family));
}

async function checkPlaces(
  actor: AccountManager,
  family: number,
  { cashbox_ids = [], stock_ids = [], before }: References,
  issues: ValidationIssues,
): Promise<void> {
  const { cashDesks = 'all', warehouses = 'all' } = isIn('company', actor) ? actor : {};
  const tenant = familyTenant(family);
  // Another family has other desks with the same ids.
  const held = family === before?.family_id ? before : undefined;
  const places = [
    ...placesToCheck('cashbox', cashbox_ids, held?.cashbox_ids, cashDesks),
    ...placesToCheck('stock', stock_ids, held?.stock_ids, warehouses),
  ];
  const items = await getItems(places.map(({ type, id }) => recordKey(type, tenant, id)));
  for (const [index, { path, isOwn }] of places.entries()) {
    const place = OpenPlace.safeParse(items[index]).data;
    if (!isOwn || !place || !canReach(actor, place.company_id)) issues.add(path, 'validation.not_found');
  }
}

function placesToCheck(
  type: 'cashbox' | 'stock',
  ids: readonly number[],
  held: readonly number[] = [],
  open: 'all' | readonly number[],
) {
  return ids
    .map((id, index) => ({
      type,
      id,
      path: `${type}_ids.${index}`,
      isOwn: open === 'all' || open.includes(id),
    }))
    .filter(({ id }) => !held.includes(id));
}

function isTaken(item: Item | undefined, { before }: References): boolean {
  const holder = ownerIn(item);
  return holder !== undefined && holder !== before?.id;
}
