import type * as z from 'zod';
import type { Administrator } from '#lib/access/actor.ts';
import { peopleWithinReach } from '#lib/access/keeper.ts';
import { partners } from '#lib/people/company/partner.ts';
import { idOfGivenRole } from '#lib/people/role/given-role.ts';
import { exactOrList } from '#lib/records/query/filters.ts';
import { findRecord } from '#lib/records/record.ts';
import { type NewBase, ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { equals } from '#lib/table/expression.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { Id } from '#lib/values/fields.ts';
import { invalid } from '#lib/values/refusal.ts';
import { begin } from '#lib/values/side-by-side.ts';
import type { Instant } from '#lib/values/time.ts';
import { requireAuthority } from './authority.ts';
import { newUser, passwordChange, personalChanges } from './changes.ts';
import { checkReferences } from './checks.ts';
import type { NewPartnerUser, PartnerUserEdit } from './input.ts';
import { workersQuery } from './query.ts';
import { users } from './user.ts';

/** The query string of the list of partners' users. Decisions, 7, "Users of partners". */
export const PartnerUserList = workersQuery({ partner_id: exactOrList('partner_id', Id) });

const records = recordsOf(users, {
  ...ofPlatform,
  reach: (actor: Administrator) => [equals('type', 'partner'), ...peopleWithinReach(actor)],
});

/** List and get the users of partners; an administrator of chosen companies reaches none. */
export const { list, get } = records;

/** Makes a partner's user, with the partner's role unless another is given. Decisions, 9 (71). */
export function create(actor: Administrator, input: z.output<typeof NewPartnerUser>, at: Instant) {
  return records.insert(actor, at, begin(partnerUserOf(actor, input)));
}

/** Changes one. A new password, and a move to another partner, end all their sessions. */
export async function edit(
  actor: Administrator,
  id: number,
  input: z.output<typeof PartnerUserEdit>,
  at: Instant,
) {
  const { username, partner_id } = input;
  const secret = await passwordChange(input.new_password);
  return records.change(actor, id, at, async (before) => {
    await requireAuthority(actor, before);
    const role_id = await roleFor(actor, { id, ...input });
    return {
      ...before,
      ...(partner_id !== before.partner_id && { session: before.session + 1 }),
      ...secret(before.session),
      partner_id,
      role_id,
      username,
      ...personalChanges(before, input),
    };
  });
}

/** Deletes one, softly, and ends their sessions. */
export async function remove(actor: Administrator, id: number, at: Instant) {
  await records.change(actor, id, at, async (before) => {
    await requireAuthority(actor, before);
    return { ...before, is_deleted: true, session: before.session + 1 };
  });
}

/** Takes a deletion back; the sessions stay ended. */
export async function restore(actor: Administrator, id: number, at: Instant) {
  await requireAuthority(actor, await records.find(actor, id));
  await records.restore(actor, id, at);
}

async function partnerUserOf(actor: Administrator, input: z.output<typeof NewPartnerUser>) {
  const role_id = await roleFor(actor, input);
  // A partner's user sees all companies of the partner.
  const user = await newUser({ ...input, are_all_companies_available: true });
  const { partner_id } = input;
  return (base: NewBase) => ({ ...user, ...base, type: 'partner' as const, partner_id, role_id });
}

/** Checks what a form points at, and names the role that the user is to have. */
async function roleFor(
  actor: Administrator,
  form: Pick<z.output<typeof NewPartnerUser>, 'username' | 'role_id' | 'partner_id'> & { id?: number },
): Promise<number> {
  const { partner_id: partnerId, role_id } = form;
  const partner = await findRecord({ type: partners, home: PLATFORM, id: partnerId });
  if (actor.companies !== 'all' || !partner || partner.is_deleted)
    throw invalid({ partner_id: 'validation.not_found' });
  const nowhere = { company_id: null, responsibilities: [], everywhere: false };
  await checkReferences(actor, { ...form, ...nowhere, type: 'partner' });
  return role_id ?? idOfGivenRole({ type: 'partner', partnerId });
}
