import type * as z from 'zod';
import type { Administrator } from '#lib/auth/actor.ts';
import { firstRates } from '#lib/cash/company-rates.ts';
import { mainDeskOf } from '#lib/cash/desk/main.ts';
import { serviceUnits } from '#lib/catalog/service/unit.ts';
import { serviceUnitTemplates } from '#lib/catalog/service/unit-template.ts';
import { firstCopies } from '#lib/catalog/unit/copyable.ts';
import { unitTemplates } from '#lib/catalog/unit/template.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import * as companies from '#lib/people/company/company.ts';
import { type Partner, type PartnerInput, partners } from '#lib/people/company/partner.ts';
import { defaultRoleWrites } from '#lib/people/role/default-role.ts';
import { roles } from '#lib/people/role/record.ts';
import { users } from '#lib/people/user/user.ts';
import { getRecord } from '#lib/records/record.ts';
import { insertion, replacement } from '#lib/records/record-writes.ts';
import { newBase } from '#lib/records/records-of.ts';
import type { Write } from '#lib/table/change/write.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import type { Instant } from '#lib/values/time.ts';

/**
 * Creates a company or a branch with its initial records. Contract 7, "Company, branch". An administrator of
 * chosen companies becomes responsible for it. Contract 9.88.
 */
export function setUpCompany(actor: Administrator, input: companies.CompanyInput, at: Instant) {
  return companies.create(actor, input, at, async (company) =>
    (
      await Promise.all([
        mainDeskOf(company, actor, at),
        firstRates(company, at),
        responsibilityWrites(actor, company.id, at),
        ...(company.parent_id === null
          ? [
              firstCopies(unitTemplates, units, company.id, at),
              firstCopies(serviceUnitTemplates, serviceUnits, company.id, at),
              directorRole(company.id, at),
            ]
          : []),
      ])
    ).flat(),
  );
}

/** Creates a partner, with the default role of its users. Contract 9.71. */
export async function setUpPartner(
  input: z.output<typeof PartnerInput>,
  at: Instant,
): Promise<z.input<typeof Partner>> {
  const [id, roleId] = await Promise.all([nextId(partners.type, PLATFORM), nextId(roles.type, PLATFORM)]);
  const partner = { ...newBase(id, at), ...input };
  await transact([
    ...insertion(partners, PLATFORM, partner),
    ...defaultRoleWrites({ type: 'partner', partnerId: id }, roleId, at),
  ]);
  return partner;
}

async function responsibilityWrites(
  { id, companies: open }: Administrator,
  companyId: number,
  at: Instant,
): Promise<Write[]> {
  if (open === 'all') return [];
  const user = await getRecord({ type: users, tenant: PLATFORM, id });
  const responsibility_ids = [...user.responsibility_ids, companyId];
  return replacement(users, PLATFORM, user, { ...user, responsibility_ids, updated_at: at });
}

async function directorRole(familyId: number, at: Instant): Promise<Write[]> {
  return defaultRoleWrites({ type: 'director', familyId }, await nextId(roles.type, PLATFORM), at);
}
