import * as z from 'zod';
import type { TableChange } from '#lib/table/feed/change.ts';
import { COMPANY_RATES } from '#lib/table/feed/feed-types.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';

/** Ids in the stored item of a company's rates. */
const Rates = z.object({ rates: z.record(z.string(), z.object({ id: z.int() })) });

/**
 * Returns changes of the rates of companies that were deleted or restored: their own items do not change, but
 * they exist as long as their company does. One round trip if there are such companies.
 */
export async function changesOfRates(
  tenant: Tenant,
  changes: readonly TableChange[],
): Promise<TableChange[]> {
  const owners = changes.filter(
    ({ type, action }) => type === 'company.company' && (action === 'deleted' || action === 'restored'),
  );
  const items = await getItems(owners.map(({ id }) => recordKey(COMPANY_RATES.word, tenant, id)));
  return owners.flatMap((owner, index) => {
    const rates = Object.values(Rates.safeParse(items[index]).data?.rates ?? {});
    return rates.map(({ id }) => ({ ...owner, type: COMPANY_RATES.type, id, companyId: owner.id }));
  });
}
