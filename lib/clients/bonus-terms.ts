import { keyOfCompany } from '#lib/people/company/known.ts';
import { Company } from '#lib/people/company/record.ts';
import { parseStored } from '#lib/records/stored.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { BonusTariff, bonusTariffs } from './bonus-tariff.ts';
import type { BonusTerms } from './bonuses.ts';

/** Reads a client's bonus terms in a company; undefined without a tariff. One round trip. */
export async function bonusTermsOf(
  tenant: Tenant,
  { bonus_tariff_id: tariffId }: { readonly bonus_tariff_id: number | null },
  companyId: number,
): Promise<BonusTerms | undefined> {
  if (tariffId === null) return undefined;
  const [tariff, company] = await getItems([
    recordKey(bonusTariffs.type, tenant, tariffId),
    keyOfCompany(companyId),
  ]);
  const { percent } = parseStored(BonusTariff, tariff);
  return { percent, months: parseStored(Company, company).bonus_entry_period };
}
