import * as z from 'zod';
import { madeBy } from '#lib/access/impersonation.ts';
import { withinReachOf } from '#lib/access/keeper.ts';
import { ProductCard } from '#lib/catalog/card.ts';
import { KnownCompany } from '#lib/people/company/record.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { Colleague, updaterEmbed } from '#lib/people/user/user.ts';
import type { DocumentType } from '#lib/records/documents.ts';
import { exact, period, substring } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';
import { Part } from '#lib/stock/part.ts';
import { Warehouse, warehouseEmbed } from '#lib/stock/warehouse.ts';
import { Id } from '#lib/values/fields.ts';
import { Currency, Money } from '#lib/values/money.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { fold } from '#lib/values/text.ts';
import { CalendarDay, Timestamp } from '#lib/values/time.ts';

const Status = z.enum(['in_progress', 'completed', 'canceled']);

/** Goods that are set aside for a customer. Part 2, "Hold"; Decisions, 2, "Hold". */
export const Hold = z.object({
  id: z.int(),
  ...madeBy,
  updater_id: z.int(),
  company_id: z.int(),
  stock_id: z.int(),
  /** Sale that closed it. */
  sale_id: z.int().nullable(),
  full_name: z.string(),
  /** Until when it is held; nothing expires by itself. Decisions, 9 (5). */
  date: CalendarDay.nullable(),
  comment: z.string().nullable(),
  currency: Currency,
  /** The sum of its lines. */
  amount: Money,
  status: Status,
  products_count: z.int(),
  created_at: Timestamp,
  updated_at: Timestamp,
  creator: Colleague.nullish(),
  updater: Colleague.nullish(),
  company: KnownCompany.nullish(),
  stock: Warehouse.nullish(),
});

export type Hold = z.input<typeof Hold>;

/** A new hold, in just the fields that its creation answers with. Part 2, "Hold". */
export const NewHold = Hold.pick({
  stock_id: true,
  full_name: true,
  date: true,
  comment: true,
  currency: true,
  updated_at: true,
  created_at: true,
  updater_id: true,
  creator_id: true,
  company_id: true,
  id: true,
  amount: true,
});

/** A line of a hold, with the parts of batches that are set aside. Decisions, 9 (3). */
export const HoldLine = z.object({
  id: z.int(),
  product_id: z.int(),
  bundle_id: z.int().nullable(),
  /** The same for all lines of one bundle, and of no other in the hold. */
  bundle_key: z.string().nullable(),
  /** So many bundles its line is a part of; null for a product by itself. */
  bundle_quantity: z.int().nullable(),
  quantity: Quantity,
  price: Money,
  amount: Money,
  /** The batches the goods were taken of. */
  batches: z.array(Part),
  product: ProductCard.nullish(),
});

export type HoldLine = z.input<typeof HoldLine>;

/** A hold with its lines, in the order in which they were added. */
export const HoldWithLines = Hold.extend({ products: z.array(HoldLine) });

/** The counter of lines. */
export const HOLD_LINE = 'hold-line';

/** How holds are kept. A caller reaches those of the warehouses open to them. */
export const holds: DocumentType<typeof Hold> = {
  type: 'hold',
  schema: Hold,
  filters: {
    ...familyFilters,
    updater_id: exact('updater_id', Id),
    stock_id: exact('stock_id', Id),
    full_name: substring('full_name'),
    date: period('date'),
    currency: exact('currency', Currency),
    status: exact('status', Status),
  },
  folded: ({ full_name }) => ({ full_name: fold(full_name) }),
  reach: (actor) => withinReachOf(actor, actor.warehouses, 'stock_id'),
};

const embeds = { ...familyEmbeds, 'updater.profile': updaterEmbed, stock: warehouseEmbed };

/** The list's query string. */
export const HoldList = documentQuery(holds.filters, { sorts: ['id'], embeds, pageSize: 20 });

/** The query string of a single hold. */
export const HoldEmbeds = embedQuery({ embeds });
