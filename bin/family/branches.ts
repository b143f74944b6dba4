import { companyRates, firstRates } from '#lib/cash/company-rates.ts';
import { mainDeskOf } from '#lib/cash/desk/main.ts';
import { companies } from '#lib/people/company/record.ts';
import { parseRecord } from '#lib/records/stored.ts';
import { familyTenant, partition, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import type { Instant } from '#lib/values/time.ts';
import { directorFor } from './owner.ts';

/** Creates the initial desk and rates of the companies of a family that have no records left. */
export async function outfitBranches(family: number, at: Instant): Promise<void> {
  const tenant = familyTenant(family);
  for (const item of await wholePartition(partition(companies.type, tenant))) {
    const company = parseRecord(companies.schema, item);
    if (await getItem(recordKey(companyRates.type, tenant, company.id))) continue;
    const [desk, rates] = [await mainDeskOf(company, directorFor(family), at), await firstRates(company, at)];
    await transact([...desk, ...rates]);
  }
}
