import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { linesEmbed } from '#lib/records/query/embeds.ts';
import { exact, substring } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';
import { BatchPart, batchPartValue, type TakenBatchPart } from '#lib/stock/batch-part.ts';
import { completableFields, lineFields } from '#lib/trade/document/fields.ts';
import type { LinedType } from '#lib/trade/document/lines.ts';
import { fieldsOfLines } from '#lib/trade/document/response-size.ts';
import { Id } from '#lib/values/fields.ts';
import { byCurrency, type Currency, Money, Sums } from '#lib/values/money.ts';
import { normalizeText } from '#lib/values/text.ts';

const SourceType = z.enum(['stock', 'purchase', 'inventory']);
const Status = z.enum(['waiting_for_confirmation', 'completed', 'canceled']);

/** The reason for a write-off. Part 2, "Write-off". */
export const WriteOffReason = z.enum([
  'stock_damage',
  'stock_defect',
  'stock_overdue',
  'stock_industrial_usage',
  'common_loss',
  'common_other',
  'purchase_incorrect_description',
]);

/**
 * A write-off. One that waits for confirmation moves nothing; a completed one has taken goods off the shelves
 * of one warehouse. That of a count is made completed. Part 2, "Write-off"; Contract 9.12.
 */
export const WriteOff = z.object({
  ...completableFields,
  source_type: SourceType,
  /** The warehouse, the receipt or the count. */
  source_id: z.int(),
  stock_id: z.int(),
  /** The supplier of its receipt, who is owed less; null without one. */
  supplier_id: z.int().nullable(),
  /** The supplier's operation by which less is owed, once it is completed. */
  supplier_operation_id: z.int().nullable(),
  name: z.string(),
  status: Status,
  /** The cost of the goods, by currency; nothing until they are taken. */
  amounts: Sums,
});

export type WriteOff = z.input<typeof WriteOff>;

/** A write-off as its making is answered. Part 2, "Write-offs". */
export const NewWriteOff = WriteOff.pick({
  id: true,
  creator_id: true,
  company_id: true,
  source_type: true,
  source_id: true,
  name: true,
  created_at: true,
  updated_at: true,
});

/** A line's share of a batch, with its cost. */
const WrittenPart = BatchPart.extend({ amount: Money });

/**
 * A line of a write-off: goods of one batch, or of a count's shortage, which is taken from the oldest
 * batches.
 */
export const WriteOffLine = z.object({
  ...lineFields,
  /** The batch; null for a count's. */
  source_product_id: z.int().nullable(),
  reason: WriteOffReason,
  comment: z.string().nullable(),
  /** Batches that it took from; none until it is completed. */
  batches: z.array(WrittenPart),
});

export type WriteOffLine = z.input<typeof WriteOffLine>;

/** A write-off with its lines, in the order in which they were given. */
export const WriteOffWithLines = WriteOff.extend({ products: z.array(WriteOffLine) });

/** A write-off in a list, with its first lines if they were asked for. Part 4, 4.1. */
export const ListedWriteOff = WriteOff.extend(fieldsOfLines(WriteOffLine));

/** The counter of lines. */
export const WRITE_OFF_LINE = 'writeoff-line';

/** Document type of write-offs. A caller reaches those of the warehouses open to them. */
export const writeOffs: LinedType<typeof WriteOff, typeof WriteOffLine> = {
  type: 'writeoff',
  copied: 'trade.writeoff',
  schema: WriteOff,
  line: WriteOffLine,
  filters: {
    ...familyFilters,
    source_type: exact('source_type', SourceType),
    source_id: exact('source_id', Id),
    name: substring('name'),
    status: exact('status', Status),
  },
  folded: ({ name }) => ({ name: normalizeText(name) }),
  reach: (actor) => withinReachOf(actor, actor.warehouses, 'stock_id'),
};

/** The list's query string. */
export const WriteOffList = documentQuery(writeOffs.filters, {
  sorts: ['id'],
  embeds: { ...familyEmbeds, products: linesEmbed },
});

/** The query string of a single write-off. */
export const WriteOffEmbeds = embedQuery({ embeds: familyEmbeds });

/** Makes the parts that a line keeps from the parts as they were taken. */
export function partsWithAmounts(parts: readonly TakenBatchPart[]): WriteOffLine['batches'] {
  return parts.map(({ left, ...part }) => ({ ...part, amount: batchPartValue({ ...part, left }) }));
}

/** Sums the cost of the goods of lines, by currency. */
export function amountsOf(lines: readonly Pick<WriteOffLine, 'batches'>[]): WriteOff['amounts'] {
  const amounts = byCurrency(() => 0);
  for (const { currency, amount } of lines.flatMap(({ batches }) => batches)) amounts[currency] += amount;
  return amounts;
}

/** Gives the currency of a receipt's lines once they are taken: all of them are in one. */
export function currencyOf(lines: readonly Pick<WriteOffLine, 'batches'>[]): Currency {
  return lines[0]?.batches[0]?.currency ?? 'uzs';
}
