import { makerOf, type Staff } from '#lib/auth/actor.ts';
import type { ProductObstacle } from '#lib/catalog/card.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import type { Stored } from '#lib/records/stored.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import { type Creditor, completionWrites } from '#lib/stock/supplier/payables.ts';
import type { Write } from '#lib/table/change/write.ts';
import { documentRef } from '#lib/trade/document/lines.ts';
import { badRequest, invalid } from '#lib/values/api-error.ts';
import { Currency, MAX_AMOUNT } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';
import { amountsOf, currencyOf, partsWithAmounts, type WriteOffLine, writeOffs } from './record.ts';

type StoredWriteOff = Stored<typeof writeOffs.schema>;

/** Data that the completion of a write-off is decided by, as read. */
export interface CompletionFacts {
  readonly before: StoredWriteOff;
  readonly lines: readonly WriteOffLine[];
  readonly warehouse: { readonly company_id: number };
  /** Undefined without a supplier. */
  readonly creditor: Creditor | undefined;
  readonly stockLevels: StockLevels;
  /** Products in sale drafts of the warehouse's company. */
  readonly inDrafts: ReadonlySet<number>;
}

/** A valid completion, with all that its writes need. */
interface CompletionPlan extends Pick<CompletionFacts, 'before' | 'creditor' | 'stockLevels'> {
  readonly after: StoredWriteOff;
  readonly lines: readonly WriteOffLine[];
}

/**
 * Decides the completion of a write-off, whose lines are taken from their own batches; an obstacle if a
 * product is in a sale draft or its batch has too little left. 422 on `amounts` over the limit.
 * Contract 9.17.
 */
export function decideCompletion(
  actor: Staff,
  facts: CompletionFacts,
  at: Instant,
): { readonly plan: CompletionPlan } | { readonly obstacle: ProductObstacle } {
  const { before, warehouse, creditor, inDrafts } = facts;
  // The goods move on a copy: the facts stay as they were read.
  const stockLevels = facts.stockLevels.copy();
  const cause = { document: 'writeoff', documentId: before.id, at, by: makerOf(actor) } as const;
  const lines: WriteOffLine[] = [];
  for (const line of facts.lines) {
    const { id: lineId, product_id, source_product_id, quantity } = line;
    if (inDrafts.has(product_id)) {
      return { obstacle: { key: 'writeoff.product_in_active_sale', product_id } };
    }
    const batch = stockLevels.batch(product_id, source_product_id);
    if (!batch || batch.left < quantity) {
      const available = (batch?.left ?? 0) / ONE;
      return { obstacle: { key: 'writeoff.product_short', product_id, with: { available } } };
    }
    const { left, ...origin } = batch;
    const part = { ...origin, quantity, left: left - quantity };
    stockLevels.takeExactly(product_id, [part], { ...cause, lineId });
    lines.push({ ...line, batches: partsWithAmounts([part]) });
  }
  const amounts = amountsOf(lines);
  if (Currency.options.some((currency) => amounts[currency] > MAX_AMOUNT))
    throw invalid({ amounts: BALANCE_TOO_LARGE });
  const completion = { status: 'completed', completed_at: at, updated_at: at } as const;
  const after = {
    ...{ ...before, ...completion, amounts },
    // The warehouse may have moved to another company since the write-off was created.
    company_id: warehouse.company_id,
    supplier_operation_id: creditor?.operationId ?? null,
  };
  return { plan: { before, after, lines, creditor, stockLevels } };
}

/**
 * Builds all writes of a completion, apart from its saved response. 400 and 422 as in
 * `requirePayableChange`.
 */
export function writeOffCompletionWrites(
  actor: Staff,
  { before, after, lines, creditor, stockLevels }: CompletionPlan,
  at: Instant,
): Write[] {
  const currency = currencyOf(lines);
  const less = { creditor, currency, amount: -after.amounts[currency], path: 'amounts' };
  const owed = { type: 'writeoff', source_type: 'writeoff', ...less } as const;
  return [
    ...documentReplacement(writeOffs, actor.tenant, before, after),
    ...lineWrites(documentRef(writeOffs, actor.tenant, after.id), lines),
    ...completionWrites(actor, after, owed, at),
    ...stockLevels.writes(),
  ];
}

/**
 * Requires that a write-off can be canceled, apart from its day. 400 for one of a stocktake or a transfer,
 * and for a canceled one. Contract 9.12; Part 5, 5A.5 (2).
 */
export function requireCancelableWriteOff({ status, source_type }: StoredWriteOff): void {
  if (source_type === 'inventory') throw badRequest('writeoff.of_inventory');
  if (source_type === 'transfer') throw badRequest('writeoff.of_transfer');
  if (status === 'canceled') throw badRequest('writeoff.canceled');
}
