import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import * as desks from '#lib/cash/desk/desk.ts';
import type { DeskState } from '#lib/cash/desk/read.ts';
import { bundles } from '#lib/catalog/bundle.ts';
import { isPresent, parseStored } from '#lib/records/stored.ts';
import { put, remove, type Write } from '#lib/table/change/write.ts';
import { absent, equals } from '#lib/table/expression.ts';
import { type Key, padId, recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { Money } from '#lib/values/money.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';

/** Sale being assembled at a desk. Contract 7, "Cheque draft". */
export const SaleDraft = z.object({
  cashbox_id: z.int(),
  number: z.int(),
  /** Null if never saved. */
  stock_id: z.int().nullable(),
  client_id: z.int().nullable(),
  price_type_id: z.int().nullable().default(null),
  products: z.array(
    z.object({ product_id: z.int(), quantity: Quantity, price: Money.nullable(), discount: Money }),
  ),
  bundles: z.array(
    z.object({ bundle_id: z.int(), quantity: z.int(), price: Money.nullable(), discount: Money }),
  ),
  services: z
    .array(z.object({ service_id: z.int(), quantity: Quantity, price: Money.nullable(), discount: Money }))
    .default([]),
  /** Discount of the whole sale: an amount, or a percentage. Part 5, 5A.14, 1. */
  discount: z.object({ amount: Money.optional(), percent: Money.optional() }).nullable().default(null),
  updated_at: Timestamp.nullable(),
});

export type SaleDraft = z.input<typeof SaleDraft>;

/** Desk and its company. */
type DeskOfCompany = Pick<DeskState, 'id' | 'company_id'>;

/**
 * Returns the key of a desk's draft. A company's drafts share a partition, so that products in any of them
 * can be found.
 */
export function draftKey(tenant: Tenant, { id, company_id }: DeskOfCompany, number: number): Key {
  return { pk: partitionOf(tenant, company_id), sk: `${padId(id)}#${number}` };
}

/** Builds the write that clears a desk's draft, which may be empty. Part 2, "Holds". */
export function draftRemoval(tenant: Tenant, desk: DeskOfCompany, number: number): Write {
  return remove(draftKey(tenant, desk, number));
}

/**
 * Builds the write that takes the goods out of a desk's draft: its services stay. `Contention` if it has
 * changed since it was read. One round trip. Part 5, 5A.1, 1.
 */
export async function draftGoodsRemoval(
  tenant: Tenant,
  desk: DeskOfCompany,
  number: number,
  at: Instant,
): Promise<Write> {
  const key = draftKey(tenant, desk, number);
  const item = await getItem(key);
  if (!item) return remove(key, { if: absent('version') });
  const draft = parseStored(SaleDraft, item);
  const unchanged = { if: equals('version', item['version']) };
  if (!draft.services?.length) return remove(key, unchanged);
  return put(key, { ...draft, products: [], bundles: [], updated_at: at, version: at }, unchanged);
}

/**
 * Returns the products in any draft of a company, including those of bundles. One round trip, up to three if
 * there are drafts. Contract 4.
 */
export async function productsInDrafts(
  actor: Pick<Staff, 'tenant'>,
  companyId: number,
): Promise<Set<number>> {
  const drafts = await readDrafts(actor.tenant, companyId);
  const deskItems = await getItems(
    drafts.map(({ cashbox_id }) => recordKey(desks.desks.type, actor.tenant, cashbox_id)),
  );
  // Drafts of a desk that was deleted or moved to another company cannot be cleared any more, so they do not
  // count.
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

/** Returns the numbers of a desk's drafts. One round trip. */
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
