import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { Colleague, personEmbed, updaterEmbed } from '#lib/people/user/user.ts';
import type { DocumentType } from '#lib/records/documents.ts';
import { exact, exactOrList } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';
import { Warehouse, warehouseEmbed } from '#lib/stock/warehouse.ts';
import { present } from '#lib/table/expression.ts';
import { standingLock } from '#lib/table/journal/standing-lock.ts';
import { type RecordRef, recordKey, type Tenant } from '#lib/table/keys.ts';
import { completableFields } from '#lib/trade/document/fields.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { Id } from '#lib/values/fields.ts';
import { Sums } from '#lib/values/money.ts';
import { Quantity } from '#lib/values/quantity.ts';

export const StocktakeType = z.enum(['full', 'partial']);
const Status = z.enum(['in_progress', 'completed', 'canceled']);

/**
 * A count of a warehouse's goods. Its quantities and sums are those of the lines that are checked. Part 2,
 * "Inventory".
 */
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
  /** Made of what the table holds by currency: `shownSums`. */
  amounts_diff_above: Sums.optional(),
  amounts_diff_below: Sums.optional(),
  checked_products_count: z.int(),
  matched_products_count: z.int(),
  updater: Colleague.nullish(),
  responsible: Colleague.nullish(),
  stock: Warehouse.nullish(),
});

/** A count as the table holds it. */
export const StoredStocktake = Stocktake.extend({
  // Surplus and shortage by currency: the table adds only to what is no part of something else.
  above_uzs: z.int(),
  above_usd: z.int(),
  above_eur: z.int(),
  above_rub: z.int(),
  below_uzs: z.int(),
  below_usd: z.int(),
  below_eur: z.int(),
  below_rub: z.int(),
  /** The categories and brands of every line it has had, as names: lists are filtered by them. */
  category_ids: z.record(z.string(), z.literal(true)),
  brand_ids: z.record(z.string(), z.literal(true)),
});

export type StoredStocktake = z.input<typeof StoredStocktake>;

/** How counts are kept. A caller reaches those of the warehouses open to them. */
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

/** Names the lock under which a count's balances stand: the document is its owner. */
export function stocktakeLock({ type, tenant, id }: RecordRef): string {
  return standingLock(recordKey(type, tenant, id));
}

/** Says where a count of a family is. */
export function stocktakeRef(tenant: Tenant, id: number): RecordRef {
  return { type: stocktakes.type, tenant, id };
}

/** Requires that a count goes on. 400 otherwise. */
export function requireInProgress({ status }: Pick<StoredStocktake, 'status'>): void {
  if (status !== 'in_progress') throw badRequest('inventory.not_in_progress');
}

const embeds = {
  ...familyEmbeds,
  'updater.profile': updaterEmbed,
  'responsible.profile': personEmbed('responsible'),
  stock: warehouseEmbed,
};

/** What a single count shows, whatever is asked for. Part 2, "Inventories". */
export const detailEmbeds = [embeds.stock, embeds['responsible.profile']];

/** The query string of the history. */
export const StocktakeList = documentQuery(stocktakes.filters, { sorts: ['id'], embeds, pageSize: 10 });

/** The query string of a single count. */
export const StocktakeEmbeds = embedQuery({ embeds });
