import * as z from 'zod';
import { madeBy } from '#lib/access/impersonation.ts';
import { among, withinReachOf } from '#lib/access/keeper.ts';
import { ProductCard } from '#lib/catalog/card.ts';
import { KnownCompany } from '#lib/people/company/company.ts';
import { familyEmbeds, familyFilters, familyIndexes } from '#lib/people/family-record.ts';
import { Colleague } from '#lib/people/user/user.ts';
import type { DocumentType } from '#lib/records/documents.ts';
import { neighbour } from '#lib/records/query/embeds.ts';
import { exact } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';
import { Part } from '#lib/stock/batch.ts';
import { STOCK_TRANSFER, TRANSIT_INDEXES } from '#lib/stock/in-transit.ts';
import { Warehouse } from '#lib/stock/warehouse.ts';
import { eitherSide } from '#lib/table/expression.ts';
import { Id } from '#lib/values/fields.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { Timestamp } from '#lib/values/time.ts';

const Status = z.enum(['in_transit', 'completed', 'canceled']);

/**
 * A transfer of goods between warehouses, which may be of two companies of the family. Goods in transit stand
 * in neither warehouse. Decisions, 2, "Transfer between warehouses"; Decisions, 7, "Transfer".
 */
export const StockTransfer = z.object({
  id: z.int(),
  ...madeBy,
  /** The company whose warehouse the goods leave. */
  company_id: z.int(),
  from_stock_id: z.int(),
  to_stock_id: z.int(),
  /** The company whose warehouse they go to. */
  to_company_id: z.int(),
  status: Status,
  products_count: z.int(),
  completed_at: Timestamp.nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
  creator: Colleague.nullish(),
  company: KnownCompany.nullish(),
  from_stock: Warehouse.nullish(),
  to_stock: Warehouse.nullish(),
});

export type StockTransfer = z.input<typeof StockTransfer>;

/** A line of a transfer. */
export const StockTransferLine = z.object({
  id: z.int(),
  product_id: z.int(),
  quantity: Quantity,
  /** Batches of the goods, the same wherever they are. */
  batches: z.array(Part),
  product: ProductCard.nullish(),
});

export type StockTransferLine = z.input<typeof StockTransferLine>;

/** A transfer with its lines, in the order in which they were given. */
export const StockTransferWithLines = StockTransfer.extend({ products: z.array(StockTransferLine) });

/** The counter of lines. */
export const STOCK_TRANSFER_LINE = 'stock-transfer-line';

/**
 * How transfers are kept. A caller reaches those of which either warehouse is open to them. Decisions, 9
 * (78).
 */
export const stockTransfers: DocumentType<typeof StockTransfer> = {
  type: STOCK_TRANSFER,
  schema: StockTransfer,
  indexes: [...familyIndexes, ...TRANSIT_INDEXES, 'to_company_id'],
  reach: (actor) =>
    eitherSide(withinReachOf(actor, actor.warehouses, 'from_stock_id'), [
      ...among('to_company_id', actor.companies),
      ...among('to_stock_id', actor.warehouses),
    ]),
};

/** `with[]=from_stock`, `with[]=to_stock`: the warehouses. */
export const fromStockEmbed = neighbour('from_stock', 'stock');
export const toStockEmbed = neighbour('to_stock', 'stock');

const embeds = { ...familyEmbeds, from_stock: fromStockEmbed, to_stock: toStockEmbed };

/** The list's query string. */
export const StockTransferList = documentQuery({
  filters: {
    ...familyFilters,
    from_stock_id: exact('from_stock_id', Id),
    to_stock_id: exact('to_stock_id', Id),
    status: exact('status', Status),
  },
  sorts: ['id'],
  embeds,
  pageSize: 20,
});

/** The query string of a single transfer. */
export const StockTransferEmbeds = embedQuery({ embeds });
