import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { linesEmbed } from '#lib/records/query/embeds.ts';
import { exact, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';
import { amountsIn } from '#lib/records/query/totals.ts';
import { Supplier, supplierEmbed } from '#lib/stock/supplier/supplier.ts';
import { Warehouse, warehouseEmbed } from '#lib/stock/warehouse.ts';
import { completableFields, lineFields, linesInput } from '#lib/trade/document/fields.ts';
import type { LinedType } from '#lib/trade/document/lines.ts';
import { fieldsOfLines } from '#lib/trade/document/response-size.ts';
import { Cost } from '#lib/values/cost.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id, optionalText, orNull } from '#lib/values/fields.ts';
import { amount, Currency, Money } from '#lib/values/money.ts';
import { quantity } from '#lib/values/quantity.ts';

const Status = enumeration('purchase.status', ['draft', 'completed', 'canceled']);

/**
 * Goods receipt: a draft moves nothing, a completed one has increased stock levels. Contract 2, "Receipt";
 * Contract 7, "Receipt".
 */
export const GoodsReceipt = z.object({
  ...completableFields,
  stock_id: z.int(),
  supplier_id: z.int().nullable(),
  /** Stocktake whose surplus it is; null for a manual goods receipt. Contract 9.12. */
  inventory_id: z.int().nullable(),
  /** Supplier operation of its completion; null before, or without a supplier. */
  supplier_operation_id: z.int().nullable(),
  currency: Currency,
  /** Total of its lines. */
  amount: Cost,
  status: Status,
  comment: z.string().nullable(),
  stock: Warehouse.nullish(),
  supplier: Supplier.nullish(),
});

export type GoodsReceipt = z.input<typeof GoodsReceipt>;

/** Line of a goods receipt; its id is also that of the resulting batch. Contract 4. */
export const GoodsReceiptLine = z.object({
  ...lineFields,
  cost: Cost,
  /** Cost × quantity, rounded half up. */
  amount: Cost,
  sale_price: Money.nullable(),
});

export type GoodsReceiptLine = z.input<typeof GoodsReceiptLine>;

/** Goods receipt with its lines, in the order given. */
export const GoodsReceiptWithLines = GoodsReceipt.extend({ products: z.array(GoodsReceiptLine) });

/** Goods receipt in a list, with its first lines if requested. Part 4, 4.1. */
export const ListedGoodsReceipt = GoodsReceipt.extend(fieldsOfLines(GoodsReceiptLine));

/** Id counter of lines, which are also batches. */
export const BATCH = 'batch';

/** Document type of goods receipts. Reach: those of the warehouses open to the caller. */
export const goodsReceipts: LinedType<typeof GoodsReceipt, typeof GoodsReceiptLine> = {
  type: 'purchase',
  copied: 'trade.purchase',
  schema: GoodsReceipt,
  line: GoodsReceiptLine,
  filters: {
    ...familyFilters,
    stock_id: exact('stock_id', Id),
    supplier_id: exact('supplier_id', Id),
    currency: exact('currency', Currency),
    status: exact('status', Status),
  },
  reach: (actor) => withinReachOf(actor, actor.warehouses, 'stock_id'),
};

const embeds = { ...familyEmbeds, stock: warehouseEmbed, supplier: supplierEmbed };

/** Query string of the list. */
export const GoodsReceiptList = documentQuery(goodsReceipts.filters, {
  sorts: ['id'],
  totals: amountsIn(GoodsReceipt),
  embeds: { ...embeds, products: linesEmbed },
  pageSize: MAX_PAGE_SIZE,
});

/** Query string of a single goods receipt. */
export const GoodsReceiptEmbeds = embedQuery({ embeds });

const LineInput = z.object({
  product_id: Id,
  quantity: quantity(8),
  /** Cost of one piece, in the goods receipt's currency. */
  cost: amount(0),
  /** New sale price of the product, in its own sale currency. */
  sale_price: orNull(amount(0.01)),
});

/** Input to create a goods receipt. Contract 7, "Receipt". */
export const GoodsReceiptInput = z.object({
  stock_id: Id,
  supplier_id: orNull(Id),
  currency: Currency,
  products: linesInput(LineInput),
  comment: optionalText(1000),
});

export type GoodsReceiptInput = z.output<typeof GoodsReceiptInput>;

const EditedLine = LineInput.extend({ id: Id.optional(), cost: LineInput.shape.cost.optional() });

/** Input to edit one: a line with its id and without a cost keeps it. Part 5, 5A.13. */
export const GoodsReceiptEdit = GoodsReceiptInput.extend({ products: linesInput(EditedLine) });

export type GoodsReceiptEdit = z.output<typeof GoodsReceiptEdit>;
