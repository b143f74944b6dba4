import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { linesEmbed } from '#lib/records/query/embeds.ts';
import { exact, substring } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';
import { BatchPart, batchPartValue, type TakenBatchPart } from '#lib/stock/batch-part.ts';
import { completableFields, lineFields, linesInput } from '#lib/trade/document/fields.ts';
import type { LinedType } from '#lib/trade/document/lines.ts';
import { fieldsOfLines } from '#lib/trade/document/response-size.ts';
import { Cost, costField } from '#lib/values/cost.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id, optionalText, orNull, text } from '#lib/values/fields.ts';
import { byCurrency, type Currency, Sums } from '#lib/values/money.ts';
import { quantity } from '#lib/values/quantity.ts';
import { normalizeText } from '#lib/values/text.ts';

const SourceType = enumeration('writeoff.source_type', ['stock', 'purchase', 'inventory', 'transfer']);
const Status = enumeration('writeoff.status', ['waiting_for_confirmation', 'completed', 'canceled']);

/** Reason for a write-off. Part 2, "Write-off". */
export const WriteOffReason = enumeration('writeoff.reason', [
  'stock_damage',
  'stock_defect',
  'stock_overdue',
  'stock_industrial_usage',
  'common_loss',
  'common_other',
  'purchase_incorrect_description',
]);

/**
 * Write-off. A pending one moves nothing; a completed one has taken goods from one warehouse. One of a
 * stocktake, or of goods lost on their way, is created as completed. Part 2, "Write-off"; Contract 9.12;
 * Part 5, 5A.5 (2).
 */
export const WriteOff = z.object({
  ...completableFields,
  source_type: SourceType,
  /** Id of the warehouse, the goods receipt, the stocktake or the transfer. */
  source_id: z.int(),
  stock_id: z.int(),
  /** Supplier of its goods receipt, whose payable it reduces; null without one. */
  supplier_id: z.int().nullable(),
  /** Supplier operation of its completion; null before, or without a supplier. */
  supplier_operation_id: z.int().nullable(),
  name: z.string(),
  status: Status,
  /** Cost of the goods, by currency; zero before completion. */
  amounts: costField(Sums),
});

export type WriteOff = z.input<typeof WriteOff>;

/** Response to the creation of a write-off. Part 2, "Write-offs". */
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
const WrittenPart = BatchPart.extend({ amount: Cost });

/** Line of a write-off: goods of one batch, or of the oldest batches that a stocktake or transfer lacks. */
export const WriteOffLine = z.object({
  ...lineFields,
  /** Batch; null for a stocktake's or a transfer's. */
  source_product_id: z.int().nullable(),
  reason: WriteOffReason,
  comment: z.string().nullable(),
  /** Batches from which the goods were taken; empty before completion. */
  batches: z.array(WrittenPart),
});

export type WriteOffLine = z.input<typeof WriteOffLine>;

/** Write-off with its lines, in the order given. */
export const WriteOffWithLines = WriteOff.extend({ products: z.array(WriteOffLine) });

/** Write-off in a list, with its first lines if requested. Part 4, 4.1. */
export const ListedWriteOff = WriteOff.extend(fieldsOfLines(WriteOffLine));

/** Id counter of lines. */
export const WRITE_OFF_LINE = 'writeoff-line';

/** Document type of write-offs. Reach: those of the warehouses open to the caller. */
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

/** Query string of the list. */
export const WriteOffList = documentQuery(writeOffs.filters, {
  sorts: ['id'],
  embeds: { ...familyEmbeds, products: linesEmbed },
});

/** Query string of a single write-off. */
export const WriteOffEmbeds = embedQuery({ embeds: familyEmbeds });

/** Builds a line's stored parts from the parts taken. */
export function partsWithAmounts(parts: readonly TakenBatchPart[]): WriteOffLine['batches'] {
  return parts.map(({ left, ...part }) => ({ ...part, amount: batchPartValue({ ...part, left }) }));
}

/** Sums the cost of the goods of lines, by currency. */
export function amountsOf(lines: readonly Pick<WriteOffLine, 'batches'>[]): WriteOff['amounts'] {
  const amounts = byCurrency(() => 0);
  for (const { currency, amount } of lines.flatMap(({ batches }) => batches)) amounts[currency] += amount;
  return amounts;
}

/** Returns the currency of a goods receipt's lines once taken; they share one. */
export function currencyOf(lines: readonly Pick<WriteOffLine, 'batches'>[]): Currency {
  return lines[0]?.batches[0]?.currency ?? 'uzs';
}

/** Input to create or edit a write-off. Part 2, "Write-offs". */
export const WriteOffInput = z.object({
  source_type: enumeration('writeoff.source_type', ['stock', 'purchase']),
  source_id: Id,
  name: text(255),
  products: linesInput(
    z.object({
      /** Existing line, in an edit. */
      id: orNull(Id),
      product_id: Id,
      /** Batch; negative for a merged one. */
      source_product_id: z.int(),
      quantity: quantity(4),
      reason: WriteOffReason,
      comment: optionalText(1000),
    }),
  ),
});

export type WriteOffInput = z.output<typeof WriteOffInput>;
