import * as z from 'zod';
import type { TableChange } from '#lib/table/feed/change.ts';
import { COMPANY_RATES } from '#lib/table/feed/feed-types.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';

/** A part of the item of a company's rates: their ids. */
const Rates = z.object({ rates: z.record(z.string(), z.object({ id: z.int() })) });

/**
 * Lists what becomes of the rates of companies that were deleted or restored: nothing of them changes in the
 * table, but they are there as long as their company is. One round trip if there are such companies.
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
