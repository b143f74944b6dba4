import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { Colleague, updaterEmbed } from '#lib/people/user/colleague.ts';
import { linesEmbed } from '#lib/records/query/embeds.ts';
import { exact, period, substring } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';
import type { Stored } from '#lib/records/stored.ts';
import { Warehouse, warehouseEmbed } from '#lib/stock/warehouse.ts';
import { documentFields, productList } from '#lib/trade/document/fields.ts';
import type { LinedType } from '#lib/trade/document/lines.ts';
import { fieldsOfLines } from '#lib/trade/document/response-size.ts';
import { documentsWithLines } from '#lib/trade/document/show.ts';
import { DraftNumber, SaleInput } from '#lib/trade/sale/input.ts';
import { SaleLine } from '#lib/trade/sale/record.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id, lineOfText, listOf, optionalText, orNull, text } from '#lib/values/fields.ts';
import { Currency, Money } from '#lib/values/money.ts';
import { Quantity, quantity } from '#lib/values/quantity.ts';
import { normalizeText } from '#lib/values/text.ts';
import { CalendarDay, DayField } from '#lib/values/time.ts';

const Status = enumeration('hold.status', ['in_progress', 'completed', 'canceled']);

/** Goods reserved for a customer. Part 2, "Hold"; Contract 2, "Hold". */
export const Hold = z.object({
  ...documentFields,
  updater_id: z.int(),
  stock_id: z.int(),
  /** Client it is for. Part 5, 5A.6, 4. */
  client_id: z.int().nullable().default(null),
  /** Sale that closed it. */
  sale_id: z.int().nullable(),
  full_name: z.string(),
  /** Type of the prices of its products; null for their sale prices. Part 5, 5A.14, 2. */
  price_type_id: z.int().nullable().default(null),
  /** Last day of the hold; nothing expires automatically. Contract 9.5. */
  date: CalendarDay.nullable(),
  comment: z.string().nullable(),
  currency: Currency,
  /** Total of its lines. */
  amount: Money,
  /** Deposits of the client taken for it, reversals subtracted. Part 5, 5A.6, 4. */
  deposit_amount: Money.default(0),
  status: Status,
  updater: Colleague.nullish(),
  stock: Warehouse.nullish(),
});

export type Hold = z.input<typeof Hold>;

/** New hold, with the fields that its creation returns. Part 2, "Hold". */
export const NewHold = Hold.omit({
  impersonator_id: true,
  price_type_id: true,
  sale_id: true,
  status: true,
  products_count: true,
  creator: true,
  updater: true,
  company: true,
  stock: true,
});

/** Line of a hold, with its batch parts, at its held price. Contract 9.3. */
export const HoldLine = SaleLine.omit({
  sold_quantity: true,
  returned_quantity: true,
  discount: true,
  vat_percent: true,
  vat_amount: true,
  refunded_amount: true,
  cost: true,
  returned_cost: true,
  marks: true,
  returned_marks: true,
  counted_since: true,
}).extend({ quantity: Quantity });

export type HoldLine = z.input<typeof HoldLine>;

/** Hold with its lines, in the order in which they were added. */
export const HoldWithLines = Hold.extend({ products: z.array(HoldLine) });

export type FullHold = z.input<typeof HoldWithLines>;

/** Counter of lines. */
export const HOLD_LINE = 'hold-line';

const MAX_A_CALL = 100;

const HeldProduct = z.object({ product_id: Id, quantity: quantity(8) });

const Products = productList(HeldProduct, MAX_A_CALL).default([]);

/** Goods of a sale draft to hold. Part 2, "Holds". */
export const HeldGoods = z.object({
  cashbox_id: Id,
  /** Desk's draft that they come from; it is cleared. */
  cheque: DraftNumber,
  products: Products,
  bundles: z
    .array(SaleInput.shape.bundles.unwrap().element.pick({ bundle_id: true, quantity: true, price: true }))
    .max(MAX_A_CALL)
    .default([]),
});

export type HeldGoods = z.output<typeof HeldGoods>;

/** Input to create a hold. Part 2, "Holds". */
export const HoldInput = HeldGoods.extend({
  stock_id: Id,
  client_id: orNull(Id),
  full_name: text(100),
  price_type_id: SaleInput.shape.price_type_id,
  date: orNull(DayField),
  comment: optionalText(1000),
});

export type HoldInput = z.output<typeof HoldInput>;

/**
 * New contents of a hold: products, and bundles by their keys; omitted ones are released. Part 2, "Holds".
 */
export const HoldContents = z.object({ products: Products, bundle_keys: listOf(lineOfText(255), 1000) });

export type HoldContents = z.output<typeof HoldContents>;

/** Hold in a list, with its first lines if requested. Part 4, 4.1. */
export const ListedHold = Hold.extend(fieldsOfLines(HoldLine));

/** Document type of holds. Callers reach those of the warehouses open to them. */
export const holds: LinedType<typeof Hold, typeof HoldLine> = {
  type: 'hold',
  copied: 'trade.hold',
  schema: Hold,
  line: HoldLine,
  filters: {
    ...familyFilters,
    updater_id: exact('updater_id', Id),
    stock_id: exact('stock_id', Id),
    full_name: substring('full_name'),
    date: period('date'),
    currency: exact('currency', Currency),
    status: exact('status', Status),
  },
  folded: ({ full_name }) => ({ full_name: normalizeText(full_name) }),
  reach: (actor) => withinReachOf(actor, actor.warehouses, 'stock_id'),
};

/** Hold as read, to be changed. */
export type OpenHold = Stored<typeof holds.schema>;

const embeds = { ...familyEmbeds, 'updater.profile': updaterEmbed, stock: warehouseEmbed };

/** Query string of the list. */
export const HoldList = documentQuery(holds.filters, {
  sorts: ['id'],
  embeds: { ...embeds, products: linesEmbed },
});

/** Query string of a single hold. */
export const HoldEmbeds = embedQuery({ embeds });

/** List the holds of warehouses open to the caller, and get one with its lines. */
export const { list, get } = documentsWithLines(holds);
