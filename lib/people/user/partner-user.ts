import type * as z from 'zod';
import type { Administrator } from '#lib/auth/actor.ts';
import { partners } from '#lib/people/company/partner.ts';
import { defaultRoleId } from '#lib/people/role/default-role.ts';
import { exactOrList } from '#lib/records/query/filters.ts';
import { findRecord } from '#lib/records/record.ts';
import { equals } from '#lib/table/expression.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { invalid } from '#lib/values/api-error.ts';
import { Id } from '#lib/values/fields.ts';
import type { Instant } from '#lib/values/time.ts';
import { checkReferences } from './checks.ts';
import type { NewPartnerUser, PartnerUserEdit } from './input.ts';
import type { StoredUser } from './user.ts';
import { UserKind, workersQuery } from './user-kind.ts';

/** Query string of the list of partners' users. Contract 7, "Users of partners". */
export const PartnerUserList = workersQuery({ partner_id: exactOrList('partner_id', Id) });

const partnerUsers = new UserKind<Administrator>(equals('type', 'partner'));

/** List, get, delete and restore users of partners; an administrator of chosen companies reaches none. */
export const { list, get, remove, restore } = partnerUsers;

/** Creates a partner's user, with the partner's default role unless another is given. Contract 9.71. */
export function create(actor: Administrator, input: z.output<typeof NewPartnerUser>, at: Instant) {
  // A partner's user sees all companies of the partner.
  const form = { ...input, are_all_companies_available: true };
  return partnerUsers.create(actor, form, at, () => decide(actor, input));
}

/** Edits one. 422 as for a new one. */
export function edit(actor: Administrator, id: number, input: z.output<typeof PartnerUserEdit>, at: Instant) {
  return partnerUsers.edit(actor, { id, form: input, at }, (before) => decide(actor, input, before));
}

/** Validates a form's references, and returns the user's role. */
async function decide(
  actor: Administrator,
  form: Pick<z.output<typeof NewPartnerUser>, 'username' | 'role_id' | 'partner_id'>,
  before?: z.input<typeof StoredUser>,
) {
  const { partner_id } = form;
  const partner = await findRecord({ type: partners, tenant: PLATFORM, id: partner_id });
  if (actor.companies !== 'all' || !partner || partner.is_deleted)
    throw invalid({ partner_id: 'validation.not_found' });
  const type = 'partner' as const;
  await checkReferences(actor, { ...form, type, company_id: null, everywhere: false, before });
  const role_id = form.role_id ?? (await defaultRoleId({ type, partnerId: partner_id }));
  return { type, partner_id, role_id };
}
