import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { Colleague, personEmbed, updaterEmbed } from '#lib/people/user/colleague.ts';
import type { DocumentType } from '#lib/records/documents.ts';
import { exact, exactOrList } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';
import { Warehouse, warehouseEmbed } from '#lib/stock/warehouse.ts';
import { present } from '#lib/table/expression.ts';
import { standingLock } from '#lib/table/journal/standing-lock.ts';
import { type RecordRef, recordKey, type Tenant } from '#lib/table/keys.ts';
import { completableFields } from '#lib/trade/document/fields.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { costField } from '#lib/values/cost.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id } from '#lib/values/fields.ts';
import { Sums } from '#lib/values/money.ts';
import { Quantity } from '#lib/values/quantity.ts';

export const StocktakeType = enumeration('inventory.type', ['full', 'partial']);
const Status = enumeration('inventory.status', ['in_progress', 'completed', 'canceled']);

/** Stocktake of a warehouse. Its quantities and sums are those of the checked lines. Part 2, "Inventory". */
export const Stocktake = z.object({
  ...completableFields,
  updater_id: z.int(),
  stock_id: z.int(),
  responsible_id: z.int().nullable(),
  type: StocktakeType,
  status: Status,
  comment: z.string().nullable(),
  stock_quantity: Quantity,
  actual_quantity: Quantity,
  quantity_diff_above: Quantity,
  quantity_diff_below: Quantity,
  /** Computed from the sums stored by currency: `shownSums`. */
  amounts_diff_above: costField(Sums).optional(),
  amounts_diff_below: costField(Sums).optional(),
  checked_products_count: z.int(),
  matched_products_count: z.int(),
  updater: Colleague.nullish(),
  responsible: Colleague.nullish(),
  stock: Warehouse.nullish(),
});

/** Surplus or shortage in a currency, at cost. */
const DiffSum = costField(z.int());

/** Stored stocktake. */
export const StoredStocktake = Stocktake.extend({
  // Surplus and shortage by currency: top-level fields, so that the table can add to them.
  above_uzs: DiffSum,
  above_usd: DiffSum,
  above_eur: DiffSum,
  above_rub: DiffSum,
  below_uzs: DiffSum,
  below_usd: DiffSum,
  below_eur: DiffSum,
  below_rub: DiffSum,
  /** Keys are the ids of categories and brands of every line so far, for list filters. */
  category_ids: z.record(z.string(), z.literal(true)),
  brand_ids: z.record(z.string(), z.literal(true)),
});

export type StoredStocktake = z.input<typeof StoredStocktake>;

/** Document type of stocktakes. Reach: those of the warehouses open to the caller. */
export const stocktakes: DocumentType<typeof StoredStocktake> = {
  type: 'inventory',
  copied: 'trade.inventory',
  schema: StoredStocktake,
  filters: {
    ...familyFilters,
    updater_id: exact('updater_id', Id),
    company_id: exactOrList('company_id', Id),
    stock_id: exact('stock_id', Id),
    responsible_id: exact('responsible_id', Id),
    type: exact('type', StocktakeType),
    status: exact('status', Status),
    'products.product.category_id': Id.transform((id) => present(`category_ids.${id}`)),
    'products.product.brand_id': Id.transform((id) => present(`brand_ids.${id}`)),
  },
  reach: (actor: Staff) => withinReachOf(actor, actor.warehouses, 'stock_id'),
};

/** Returns the name of the standing lock of a stocktake's stock levels, owned by the document. */
export function stocktakeLock({ type, tenant, id }: RecordRef): string {
  return standingLock(recordKey(type, tenant, id));
}

/** Returns the record reference of a family's stocktake. */
export function stocktakeRef(tenant: Tenant, id: number): RecordRef {
  return { type: stocktakes.type, tenant, id };
}

/** Requires a stocktake in progress. 400 otherwise. */
export function requireInProgress({ status }: Pick<StoredStocktake, 'status'>): void {
  if (status !== 'in_progress') throw badRequest('inventory.not_in_progress');
}

const embeds = {
  ...familyEmbeds,
  'updater.profile': updaterEmbed,
  'responsible.profile': personEmbed('responsible'),
  stock: warehouseEmbed,
};

/** Embeds always present in a single stocktake. Part 2, "Inventories". */
export const detailEmbeds = [embeds.stock, embeds['responsible.profile']];

/** Query string of the history. */
export const StocktakeList = documentQuery(stocktakes.filters, { sorts: ['id'], embeds, pageSize: 10 });

/** Query string of a single stocktake. */
export const StocktakeEmbeds = embedQuery({ embeds });
