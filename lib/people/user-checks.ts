import * as z from 'zod';
import { type Account, Grants, type UserType } from '#lib/access/account.ts';
import type { Administrator } from '#lib/access/actor.ts';
import type { Item } from '#lib/table/client.ts';
import { keyIfAny, PLATFORM, recordKey } from '#lib/table/keys.ts';
import { holderIn, keyOf } from '#lib/table/names.ts';
import { getItems } from '#lib/table/reads.ts';
import type { Phrase } from '#lib/values/messages/say.ts';
import { invalid } from '#lib/values/refusal.ts';
import { companies } from './company.ts';
import { isOpen } from './responsibility.ts';
import { roles } from './role.ts';
import { mayGive } from './role-input.ts';
import { users } from './user.ts';

/** What a user's form points at. */
export interface References {
  /** The user under edit, who may keep the name. */
  readonly id?: number;
  readonly type: UserType;
  readonly username: string;
  readonly role_id: number | null;
  /** The company that the form names. */
  readonly company_id: number | null;
  /** The family or the partner of a user whose place the form does not change. */
  readonly family_id?: number | null;
  readonly partner_id?: number | null;
  readonly responsibilities: readonly number[];
  /** Whether an administrator is to have all companies open. */
  readonly everywhere: boolean;
}

const HeldRole = Grants.extend({
  type: z.string(),
  family_id: z.int().nullable(),
  partner_id: z.int().nullable(),
  is_deleted: z.literal(false),
});
const Live = z.object({ id: z.int(), parent_id: z.int().nullable(), is_deleted: z.literal(false) });

/**
 * Looks up all that a user's form points at, in one round trip, and answers with the family the user belongs to.
 * 422 with every field that is wrong: a role of another kind or family or with rights that the
 * administrator does not hold, companies that are not open, a taken name.
 */
export async function checkReferences(
  actor: Administrator,
  given: References,
): Promise<Account['family_id']> {
  const [name, role, company, ...responsibilities] = await getItems([
    keyOf(users.type, { path: 'username', scope: PLATFORM, text: given.username }),
    keyIfAny(given.role_id, (id) => recordKey(roles.type, PLATFORM, id)),
    keyIfAny(given.company_id, (id) => recordKey(companies.type, PLATFORM, id)),
    ...given.responsibilities.map((id) => recordKey(companies.type, PLATFORM, id)),
  ]);
  const place = openCompany(actor, company);
  const family = place ? (place.parent_id ?? place.id) : (given.family_id ?? null);
  const problems: Record<string, Phrase | undefined> = {
    username: nameProblem(given, name),
    company_id: given.company_id !== null && !place ? { key: 'validation.not_found' } : undefined,
    are_all_companies_available:
      given.everywhere && actor.companies !== 'all' ? { key: 'role.not_held' } : undefined,
    role_id: roleProblem(actor, given, role, family),
    ...Object.fromEntries(
      responsibilities.map((item, index) => [
        `companies_responsibility.${index}`,
        openCompany(actor, item) ? undefined : { key: 'validation.not_found' as const },
      ]),
    ),
  };
  const failing = Object.entries(problems).flatMap(([path, problem]) => (problem ? [[path, problem]] : []));
  if (failing.length > 0) throw invalid(Object.fromEntries(failing));
  return family;
}

function openCompany(actor: Administrator, item: Item | undefined) {
  const company = Live.safeParse(item).data;
  return company && isOpen(actor, company.id) ? company : undefined;
}

function nameProblem({ id }: References, item: Item | undefined): Phrase | undefined {
  const holder = holderIn(item);
  return holder !== undefined && holder !== id ? { key: 'validation.taken' } : undefined;
}

function roleProblem(
  actor: Administrator,
  { type, role_id, partner_id = null }: References,
  item: Item | undefined,
  family: number | null,
): Phrase | undefined {
  if (role_id === null) return undefined;
  const role = HeldRole.safeParse(item).data;
  if (!role || (family !== null && role.family_id !== family)) return { key: 'validation.not_found' };
  if (partner_id !== null && role.partner_id !== partner_id) return { key: 'validation.not_found' };
  if (role.type !== type) return { key: 'user.role_kind' };
  const held = role.new_routes.every((route) => mayGive(actor, type, route));
  return held ? undefined : { key: 'role.not_held' };
}
