import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { type Accuracies, checkDecimals } from '#lib/catalog/accuracy.ts';
import { bareParts } from '#lib/stock/batch-part.ts';
import { type Destination, inflowWrite } from '#lib/stock/inflow.ts';
import type { Cause } from '#lib/stock/movement.ts';
import { insufficientStock, type StockLevels } from '#lib/stock/stock-levels.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { timesOf } from '#lib/trade/document/fields.ts';
import { newDocumentWrites } from '#lib/trade/document/lines.ts';
import { quantitiesTaken } from '#lib/trade/sale/cart.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import {
  type StockTransfer,
  type StockTransferInput,
  type StockTransferLine,
  stockTransfers,
} from './record.ts';

/** Data that the sending of a transfer is decided by, as read. */
export interface SendFacts {
  /** Ids of the transfer, and of its first line. */
  readonly ids: { readonly transfer: number; readonly line: number };
  readonly from: Destination;
  readonly to: Destination;
  /** Stock levels of the sending warehouse. */
  readonly stockLevels: StockLevels;
  /** Products that do not exist. */
  readonly unknown: ReadonlySet<number>;
  readonly accuracies: Accuracies;
}

/** A valid transfer, with all that its writes need. */
interface SendPlan extends Pick<SendFacts, 'to' | 'stockLevels'> {
  readonly transfer: StockTransfer;
  readonly lines: readonly StockTransferLine[];
}

/**
 * Decides the sending of goods, which leave the oldest batches. 422 with all failing fields: on an unknown
 * product, on too many decimal places and on insufficient stock. Contract 9.13; Contract 9.112.
 */
export function decideSend(actor: Staff, input: StockTransferInput, facts: SendFacts, at: Instant): SendPlan {
  const { ids, from, to, unknown, accuracies } = facts;
  const issues = new ValidationIssues();
  for (const [index, { product_id }] of input.products.entries()) {
    if (unknown.has(product_id)) issues.add(`products.${index}.product_id`, 'validation.not_found');
  }
  checkDecimals(quantitiesTaken(input.products, facts.stockLevels), accuracies, issues);
  // The goods move on a copy: the facts stay as they were read.
  const stockLevels = facts.stockLevels.copy();
  const cause = { document: 'transfer', documentId: ids.transfer, at, by: makerOf(actor) } as const;
  const lines = takeLines(stockLevels, input, { cause, firstId: ids.line }, issues);
  issues.throwIfAny();
  const transfer: StockTransfer = {
    ...makerOf(actor),
    ...timesOf(at),
    id: ids.transfer,
    company_id: from.company_id,
    from_stock_id: from.id,
    to_stock_id: to.id,
    to_company_id: to.company_id,
    status: 'in_transit',
    products_count: lines.length,
  };
  return { transfer, lines, to, stockLevels };
}

/** Takes goods from stock, oldest batches first. A line with insufficient stock is reported in `issues`. */
function takeLines(
  stockLevels: StockLevels,
  { products }: Pick<StockTransferInput, 'products'>,
  { cause, firstId }: { readonly cause: Omit<Cause, 'lineId'>; readonly firstId: number },
  issues: ValidationIssues,
): StockTransferLine[] {
  return products.map(({ product_id, quantity }, index) => {
    const id = firstId + index;
    const parts = stockLevels.take(product_id, quantity, { ...cause, lineId: id });
    if (!parts) {
      const path = `products.${index}`;
      const missing = insufficientStock(stockLevels.free(product_id));
      issues.unless(`${path}.product_id`).add(`${path}.quantity`, missing);
    }
    return { id, product_id, quantity, batches: bareParts(parts ?? []) };
  });
}

/** Builds all writes of a transfer that is sent, apart from its saved response. */
export function sendWrites(tenant: Tenant, { transfer, lines, to, stockLevels }: SendPlan): Write[] {
  const { header, packs } = newDocumentWrites(stockTransfers, tenant, transfer, lines);
  return [header, ...packs, ...stockLevels.writes(), inflowWrite(tenant, to)];
}
