import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { linesEmbed } from '#lib/records/query/embeds.ts';
import { exact, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';
import { Supplier, supplierEmbed } from '#lib/stock/supplier/supplier.ts';
import { Warehouse, warehouseEmbed } from '#lib/stock/warehouse.ts';
import { completableFields, lineFields, linesInput } from '#lib/trade/document/fields.ts';
import type { LinedType } from '#lib/trade/document/lines.ts';
import { fieldsOfLines } from '#lib/trade/document/response-size.ts';
import { Id, optionalText, orNull } from '#lib/values/fields.ts';
import { amount, Currency, Money } from '#lib/values/money.ts';
import { quantity } from '#lib/values/quantity.ts';

const Status = z.enum(['draft', 'completed', 'canceled']);

/**
 * A receipt of goods: a draft moves nothing, a completed one has raised balances. Contract 2, "Receipt";
 * Contract 7, "Receipt".
 */
export const GoodsReceipt = z.object({
  ...completableFields,
  stock_id: z.int(),
  supplier_id: z.int().nullable(),
  /** The count whose surplus it is; null for a receipt that was made by hand. Contract 9.12. */
  inventory_id: z.int().nullable(),
  /** Its operation of the supplier, once it is completed. */
  supplier_operation_id: z.int().nullable(),
  currency: Currency,
  /** The sum of its lines. */
  amount: Money,
  status: Status,
  comment: z.string().nullable(),
  stock: Warehouse.nullish(),
  supplier: Supplier.nullish(),
});

export type GoodsReceipt = z.input<typeof GoodsReceipt>;

/** A line of a receipt; its id is also that of the batch that its goods become. Contract 4. */
export const GoodsReceiptLine = z.object({
  ...lineFields,
  cost: Money,
  /** Cost × quantity, rounded half up. */
  amount: Money,
  sale_price: Money.nullable(),
});

export type GoodsReceiptLine = z.input<typeof GoodsReceiptLine>;

/** A receipt with its lines, in the order in which they were given. */
export const GoodsReceiptWithLines = GoodsReceipt.extend({ products: z.array(GoodsReceiptLine) });

/** A receipt in a list, with its first lines if they were asked for. Part 4, 4.1. */
export const ListedGoodsReceipt = GoodsReceipt.extend(fieldsOfLines(GoodsReceiptLine));

/** The counter of lines, which are also batches. */
export const BATCH = 'batch';

/** Document type of receipts. A caller reaches those of the warehouses open to them. */
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

/** The list's query string. */
export const GoodsReceiptList = documentQuery(goodsReceipts.filters, {
  sorts: ['id'],
  embeds: { ...embeds, products: linesEmbed },
  pageSize: MAX_PAGE_SIZE,
});

/** The query string of a single receipt. */
export const GoodsReceiptEmbeds = embedQuery({ embeds });

/** Input to make or edit a receipt. Contract 7, "Receipt". */
export const GoodsReceiptInput = z.object({
  stock_id: Id,
  supplier_id: orNull(Id),
  currency: Currency,
  products: linesInput(
    z.object({
      product_id: Id,
      quantity: quantity(8),
      /** The cost of one piece, in the receipt's currency. */
      cost: amount(0),
      /** The product's new sale price, in its own sale currency. */
      sale_price: orNull(amount(0.01)),
    }),
  ),
  comment: optionalText(1000),
});

export type GoodsReceiptInput = z.output<typeof GoodsReceiptInput>;
