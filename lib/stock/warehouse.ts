import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import {
  CompanyId,
  companyFor,
  familyEmbeds,
  familyFilters,
  familyRecordFields,
} from '#lib/people/family-record.ts';
import { sameTenantReference } from '#lib/records/query/embeds.ts';
import { substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { replacement } from '#lib/records/record-writes.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { isDeletion } from '#lib/records/references.ts';
import { isPresent, parseStored, type Stored } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { type Key, partition, recordKey, type Tenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import { text } from '#lib/values/fields.ts';
import { uniqueName } from '#lib/values/localized.ts';
import type { Instant } from '#lib/values/time.ts';
import { areAnyInTransit } from './in-transit.ts';
import { emptyWrite, inflowCounter } from './inflow.ts';

/** Warehouse of a company or branch. Contract 7, "Warehouse". */
export const Warehouse = z.object({
  ...familyRecordFields,
  name: z.string(),
  /** Stocktake that has closed it; null if open. */
  inventory_id: z.int().nullable(),
});

/** Input to create or edit a warehouse. */
export const WarehouseInput = z.object({ name: text(255), company_id: CompanyId });

type StoredWarehouse = z.input<typeof Warehouse>;

type WarehouseInput = z.output<typeof WarehouseInput>;

/** Record type of warehouses. */
export const warehouses: RecordType<typeof Warehouse> = {
  type: 'stock',
  copied: 'stock.stock',
  schema: Warehouse,
  filters: { ...familyFilters, name: substring('name') },
  sorts: ['id', 'name'],
  embeds: familyEmbeds,
  ...uniqueName,
  alsoWrites: inflowCounter,
  furtherWrites: async (tenant, before, after) => {
    const isGone = isDeletion(before, after);
    if (!isGone && after.company_id === before.company_id) return [];
    requireNoStocktake(before);
    const reason = isGone ? 'stock.not_empty' : 'stock.moves_with_goods';
    const write = await emptyWrite(tenant, after, badRequest(reason));
    const ends = isGone ? undefined : (['from_stock_id'] as const);
    if (await areAnyInTransit(tenant, before.id, ends)) throw badRequest('stock.in_transit');
    return [write];
  },
};

/** `with[]=stock`: warehouse referenced by a record. */
export const warehouseEmbed = sameTenantReference('stock', warehouses.type);

const records = recordsOf(warehouses, {
  ...ofFamily,
  reach: (actor) => withinReachOf(actor, actor.warehouses),
});

/**
 * Operations on the warehouses open to the caller: list, get, delete, restore. 400 to delete one with goods,
 * or with goods in transit from or to it. Contract 8.
 */
export const { List, Embeds, list, get, remove, restore, keyOf, ifVisible } = records;

/** Resolves the warehouse referenced by a body. 422 on the path if it is not within the caller's reach. */
export const requireWarehouse = records.require;

/** Creates a warehouse. 422 on a duplicate name, and on a company not open to the caller. */
export function create(actor: Staff, { name, company_id }: WarehouseInput, at: Instant) {
  return records.insert(
    actor,
    at,
    inBackground(
      companyFor(actor, company_id).then((id) => (base) => ({
        ...base,
        name,
        company_id: id,
        inventory_id: null,
      })),
    ),
  );
}

/**
 * Edits a warehouse; it keeps its company unless another is given. 400 to change the company with goods in
 * stock or in transit from it, 422 as in `create`. Contract 9.84.
 */
export function edit(actor: Staff, id: number, { name, company_id }: WarehouseInput, at: Instant) {
  return records.change(actor, id, at, async (before) => ({
    ...before,
    company_id: await companyFor(actor, company_id, before.company_id),
    name,
  }));
}

/**
 * Requires that no stocktake has closed a warehouse; every movement of goods checks this on the warehouse it
 * has read. Contract 4; Contract 9.13. 400 otherwise.
 */
export function requireNoStocktake({ inventory_id }: Pick<StoredWarehouse, 'inventory_id'>): void {
  if (inventory_id !== null) throw badRequest('stock.being_counted');
}

/**
 * Builds the writes by which a stocktake closes or reopens a warehouse. `Contention` if it has changed since.
 */
export function stocktakeWrites(
  tenant: Tenant,
  before: Stored<typeof Warehouse>,
  inventory_id: number | null,
) {
  return replacement(warehouses, tenant, before, { ...before, inventory_id });
}

/**
 * Requires that documents may move goods in a warehouse. 400 if it is gone, out of reach or closed by a
 * stocktake.
 */
export function requireOpenWarehouse(actor: Staff, item: unknown) {
  const warehouse = ifVisible(actor, item);
  if (!warehouse) throw badRequest('stock.gone');
  requireNoStocktake(warehouse);
  return warehouse;
}

/** Returns the warehouse read at a key, within reach or not; undefined if it is gone. */
export function ifPresent(item: Item | undefined): StoredWarehouse | undefined {
  return isPresent(item) ? parseStored(Warehouse, item) : undefined;
}

/** Returns the key of a family's warehouse. */
export function warehouseKey(tenant: Tenant, id: number): Key {
  return recordKey(warehouses.type, tenant, id);
}

/** Reads all warehouses of a family, including deleted ones: they are few. One round trip. */
export async function allWarehouses(tenant: Tenant): Promise<StoredWarehouse[]> {
  const items = await wholePartition(partition(warehouses.type, tenant));
  return items.map((item) => parseStored(Warehouse, item));
}
