import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import * as desks from '#lib/cash/desk/desk.ts';
import type { DeskState } from '#lib/cash/desk/read.ts';
import { bundles } from '#lib/catalog/bundle.ts';
import { isPresent, parseStored } from '#lib/records/stored.ts';
import { remove, type Write } from '#lib/table/change/write.ts';
import { type Key, padId, recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { Money } from '#lib/values/money.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { Timestamp } from '#lib/values/time.ts';

/** A cheque as it is being put together at a desk. Contract 7, "Cheque draft". */
export const SaleDraft = z.object({
  cashbox_id: z.int(),
  number: z.int(),
  /** Null if nothing was put into it yet. */
  stock_id: z.int().nullable(),
  client_id: z.int().nullable(),
  products: z.array(
    z.object({ product_id: z.int(), quantity: Quantity, price: Money.nullable(), discount: Money }),
  ),
  bundles: z.array(
    z.object({ bundle_id: z.int(), quantity: z.int(), price: Money.nullable(), discount: Money }),
  ),
  updated_at: Timestamp.nullable(),
});

export type SaleDraft = z.input<typeof SaleDraft>;

/** A desk, and the company that it belongs to. */
type DeskOfCompany = Pick<DeskState, 'id' | 'company_id'>;

/**
 * Makes the key of a desk's draft. Those of a company stand together, so that it can be told what is in any.
 */
export function draftKey(tenant: Tenant, { id, company_id }: DeskOfCompany, number: number): Key {
  return { pk: partitionOf(tenant, company_id), sk: `${padId(id)}#${number}` };
}

/** Makes the write that clears a draft of a desk, whether there is one or not. Part 2, "Holds". */
export function draftRemoval(tenant: Tenant, desk: DeskOfCompany, number: number): Write {
  return remove(draftKey(tenant, desk, number));
}

/**
 * Lists the products in any draft of a company, also in bundles. One round trip, up to three if there are
 * drafts. Contract 4.
 */
export async function productsInDrafts(actor: Staff, companyId: number): Promise<Set<number>> {
  const drafts = await readDrafts(actor.tenant, companyId);
  const deskItems = await getItems(drafts.map(({ cashbox_id }) => desks.keyOf(actor, cashbox_id)));
  // Nobody can clear the drafts of a desk that was deleted or moved to another company.
  const active = drafts.filter((_, index) => {
    const desk = deskItems[index];
    return isPresent(desk) && desk['company_id'] === companyId;
  });
  const offers = await getItems(
    active.flatMap((draft) =>
      draft.bundles.map(({ bundle_id }) => recordKey(bundles.type, actor.tenant, bundle_id)),
    ),
  );
  const bundled = offers.flatMap((item) => (item ? parseStored(bundles.schema, item).products : []));
  const single = active.flatMap(({ products }) => products);
  return new Set([...single, ...bundled].map(({ product_id }) => product_id));
}

/** Lists the numbers of a desk's drafts. One round trip. */
export async function draftNumbers(tenant: Tenant, { id, company_id }: DeskOfCompany): Promise<number[]> {
  const drafts = await readDrafts(tenant, company_id);
  const own = drafts.filter(({ cashbox_id }) => cashbox_id === id);
  return own.map(({ number }) => number).sort((a, b) => a - b);
}

async function readDrafts(tenant: Tenant, companyId: number): Promise<SaleDraft[]> {
  const items = await wholePartition(partitionOf(tenant, companyId));
  return items.map((item) => parseStored(SaleDraft, item));
}

function partitionOf(tenant: Tenant, companyId: number): string {
  return `cheque#${tenant}#${companyId}`;
}
