import * as z from 'zod';
import { among, withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { linesEmbed, sameTenantReference } from '#lib/records/query/embeds.ts';
import { exact, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';
import { BatchPart } from '#lib/stock/batch-part.ts';
import { STOCK_TRANSFER } from '#lib/stock/in-transit.ts';
import { allWarehouses, Warehouse } from '#lib/stock/warehouse.ts';
import { eitherSide } from '#lib/table/expression.ts';
import { completableFields, lineFields, linesInput } from '#lib/trade/document/fields.ts';
import type { LinedType } from '#lib/trade/document/lines.ts';
import { fieldsOfLines } from '#lib/trade/document/response-size.ts';
import { documentsWithLines } from '#lib/trade/document/show.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id } from '#lib/values/fields.ts';
import { Quantity, quantity } from '#lib/values/quantity.ts';

const Status = enumeration('transfer.status', ['in_transit', 'completed', 'canceled']);

/**
 * Stock transfer between warehouses, possibly of two companies of the family. Goods in transit are in neither
 * warehouse. Contract 2, "Transfer between warehouses"; Contract 7, "Transfer".
 */
export const StockTransfer = z.object({
  // `company_id` is the company of the sending warehouse.
  ...completableFields,
  from_stock_id: z.int(),
  to_stock_id: z.int(),
  /** Company of the receiving warehouse. */
  to_company_id: z.int(),
  status: Status,
  /** Write-off of lost goods; null without any. Part 5, 5A.5 (3). */
  writeoff_id: z.int().nullable().default(null),
  from_stock: Warehouse.nullish(),
  to_stock: Warehouse.nullish(),
});

export type StockTransfer = z.input<typeof StockTransfer>;

/** Line of a transfer. */
export const StockTransferLine = z.object({
  ...lineFields,
  /** Batches of the goods, in transit and in either warehouse. */
  batches: z.array(BatchPart),
  /** What became of the goods; null in transit. Stored only if some are missing. Part 5, 5A.5 (3). */
  arrived_quantity: Quantity.nullable().default(null),
  returned_quantity: Quantity.nullable().default(null),
  lost_quantity: Quantity.nullable().default(null),
});

export type StockTransferLine = z.input<typeof StockTransferLine>;

/** Transfer with its lines, in the order given. */
export const StockTransferWithLines = StockTransfer.extend({ products: z.array(StockTransferLine) });

/** Transfer in a list, with its first lines if requested. Part 4, 4.1. */
export const ListedTransfer = StockTransfer.extend(fieldsOfLines(StockTransferLine));

/** Id counter of lines. */
export const STOCK_TRANSFER_LINE = 'stock-transfer-line';

/** Document type of transfers. Reach: those with either warehouse open to the caller. Contract 9.78. */
export const stockTransfers: LinedType<typeof StockTransfer, typeof StockTransferLine> = {
  type: STOCK_TRANSFER,
  copied: 'trade.transfer',
  schema: StockTransfer,
  line: StockTransferLine,
  filters: {
    ...familyFilters,
    from_stock_id: exact('from_stock_id', Id),
    to_stock_id: exact('to_stock_id', Id),
    status: exact('status', Status),
  },
  showLine: showTransferLine,
  indexes: ['to_company_id'],
  reach: (actor) =>
    eitherSide(withinReachOf(actor, actor.warehouses, 'from_stock_id'), [
      ...among('to_company_id', actor.companies),
      ...among('to_stock_id', actor.warehouses),
    ]),
};

/** Adds to a line the quantities that arrived, returned and were lost; they add up to it. Null in transit. */
export function showTransferLine(
  { status }: Pick<StockTransfer, 'status'>,
  line: StockTransferLine,
): StockTransferLine {
  if (status === 'in_transit') return line;
  const lost_quantity = line.lost_quantity ?? 0;
  const returned_quantity = status === 'canceled' ? line.quantity : (line.returned_quantity ?? 0);
  const arrived_quantity = line.quantity - returned_quantity - lost_quantity;
  return { ...line, arrived_quantity, returned_quantity, lost_quantity };
}

/** `with[]=from_stock`, `with[]=to_stock`: the warehouses. */
export const fromStockEmbed = sameTenantReference('from_stock', 'stock');
export const toStockEmbed = sameTenantReference('to_stock', 'stock');

const embeds = { ...familyEmbeds, from_stock: fromStockEmbed, to_stock: toStockEmbed };

/** Query string of the list. */
export const StockTransferList = documentQuery(stockTransfers.filters, {
  sorts: ['id'],
  embeds: { ...embeds, products: linesEmbed },
  pageSize: MAX_PAGE_SIZE,
});

/** Query string of a single transfer. */
export const StockTransferEmbeds = embedQuery({ embeds });

/** Input to create a transfer. Contract 7, "Transfer". */
export const StockTransferInput = z
  .object({
    from_stock_id: Id,
    to_stock_id: Id,
    products: linesInput(z.object({ product_id: Id, quantity: quantity(8) })),
  })
  .refine(({ from_stock_id, to_stock_id }) => from_stock_id !== to_stock_id, {
    path: ['to_stock_id'],
    error: 'transfer.same_stock',
  });

export type StockTransferInput = z.output<typeof StockTransferInput>;

/** Possible destinations of goods. Contract 9.78. */
export const Destinations = z.object({
  data: z.array(Warehouse.pick({ id: true, name: true, company_id: true })),
});

/**
 * Operations on transfers: list those from and to the warehouses open to the caller, get one with its lines.
 */
export const { list, get } = documentsWithLines(stockTransfers);

/** Lists the family's warehouses that are not deleted, within the caller's reach or not. */
export async function destinations({ tenant }: Staff) {
  return { data: (await allWarehouses(tenant)).filter(({ is_deleted }) => !is_deleted) };
}
