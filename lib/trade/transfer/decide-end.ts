import * as z from 'zod';
import { makerOf, requireRight, type Staff } from '#lib/auth/actor.ts';
import { type Accuracies, checkDecimals, type Measured } from '#lib/catalog/accuracy.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import type { Stored } from '#lib/records/stored.ts';
import { type BatchPart, batchPartValue, splitParts } from '#lib/stock/batch-part.ts';
import type { Destination } from '#lib/stock/inflow.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { timesOf } from '#lib/trade/document/fields.ts';
import { documentRef, newDocumentWrites } from '#lib/trade/document/lines.ts';
import { amountsOf, type WriteOff, type WriteOffLine, writeOffs } from '#lib/trade/write-off/record.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { distinct, Id, orNull } from '#lib/values/fields.ts';
import { translateLabel } from '#lib/values/labels/label.ts';
import { Currency, MAX_AMOUNT } from '#lib/values/money.ts';
import { ONE, quantity, totalQuantity, type Units } from '#lib/values/quantity.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type StockTransferLine, stockTransfers } from './record.ts';

/** Right to complete a transfer of which less arrived than was sent. Part 5, 5A.5 (1). */
const RECEIVE_SHORT = 'company.trade.transfer.short';

/** Input to complete a transfer; lines that it does not name arrive whole. Part 5, 5A.5 (1). */
export const ArrivalInput = z.object({
  products: distinct(
    'id',
    z
      .array(
        z.object({
          id: Id,
          /** Quantity that arrived. */
          quantity: quantity(8, 0),
          missing: orNull(enumeration('transfer.missing', ['returned', 'lost'])),
        }),
      )
      .max(1000),
  ).default([]),
});

/** How a transfer ends. */
export interface EndingInput extends Readonly<z.output<typeof ArrivalInput>> {
  readonly status: 'completed' | 'canceled';
}

/** Data that the end of a transfer is decided by, as read. */
export interface TransitFacts {
  /** Ids of the write-off of lost goods, and of its first line. */
  readonly ids: { readonly writeOff: number; readonly writeOffLine: number };
  readonly transfer: Stored<typeof stockTransfers.schema>;
  readonly lines: readonly StockTransferLine[];
  /** Warehouse that the caller receives goods in; the sending one on cancellation. */
  readonly receiving: Destination;
  /** Sending warehouse; undefined if gone. */
  readonly sender: Destination | undefined;
  /** True if the sending warehouse is open to the caller. */
  readonly canReturn: boolean;
  readonly levels: Levels;
  readonly accuracies: Accuracies;
}

/** Stock levels of the arrived goods in one warehouse, and of the returned ones in the other. */
interface Levels {
  readonly arrived: StockLevels;
  readonly returned: StockLevels;
}

/** Line with what becomes of its goods; the oldest batches arrive first. */
export interface EndedLine {
  readonly line: StockTransferLine;
  readonly arrived: readonly BatchPart[];
  readonly returned: readonly BatchPart[];
  readonly lost: readonly BatchPart[];
}

/** A valid end of a transfer, with all that its writes need. */
interface EndPlan extends Pick<TransitFacts, 'transfer' | 'receiving' | 'sender' | 'levels'> {
  readonly after: TransitFacts['transfer'];
  /** Lines after it, if any goods are missing. */
  readonly lines: readonly StockTransferLine[];
  readonly loss: Loss | undefined;
}

/** Write-off of lost goods. */
interface Loss {
  readonly writeOff: WriteOff;
  readonly lines: readonly WriteOffLine[];
}

/** Divides the goods of a transfer's lines; all return on cancellation. */
export function divideLines(
  { status, products }: EndingInput,
  lines: readonly StockTransferLine[],
): EndedLine[] {
  const named = new Map(products.map((each) => [each.id, each]));
  return lines.map((line) => {
    if (status === 'canceled') return { line, arrived: [], returned: line.batches, lost: [] };
    const { quantity: came, missing } = named.get(line.id) ?? { quantity: line.quantity, missing: null };
    const [arrived, rest] = splitParts(line.batches, came);
    const isLost = missing === 'lost';
    return { line, arrived, returned: isLost ? [] : rest, lost: isLost ? rest : [] };
  });
}

/** Lists the arrived quantities of a body, for the check of their decimal places. */
export function quantitiesArrived(
  { products }: EndingInput,
  lines: readonly StockTransferLine[],
): Measured[] {
  const byId = new Map(lines.map((line) => [line.id, line]));
  return products.flatMap(({ id, quantity: came }, index) => {
    const line = byId.get(id);
    const path = `products.${index}.quantity`;
    return line ? [{ product_id: line.product_id, quantity: came, path, remainders: [line.quantity] }] : [];
  });
}

/**
 * Decides the end of a transfer. 403 for missing goods without the right; 400 if they return to a warehouse
 * that is gone; 422 with all failing fields. Part 5, 5A.5.
 */
export function decideEnd(
  actor: Staff,
  input: EndingInput,
  { ids, transfer, lines, accuracies, ...facts }: TransitFacts,
  { at, locale }: { readonly at: Instant; readonly locale: Locale },
): EndPlan {
  const { receiving, sender, canReturn } = facts;
  const issues = new ValidationIssues();
  checkArrived(actor, input, { lines, sender, canReturn }, issues);
  const ended = divideLines(input, lines);
  checkDecimals(quantitiesArrived(input, lines), accuracies, issues);

  const losses = ended.filter(({ lost }) => lost.length > 0);
  const loss =
    losses.length > 0 ? lossOf(actor, losses, { ids, transfer, sender }, { at, locale }) : undefined;
  if (loss && Currency.options.some((each) => loss.writeOff.amounts[each] > MAX_AMOUNT))
    issues.add('products', BALANCE_TOO_LARGE);
  issues.throwIfAny();

  // The goods move on copies: the facts stay as they were read.
  const levels = { arrived: facts.levels.arrived.copy(), returned: facts.levels.returned.copy() };
  const cause = { document: 'transfer', documentId: transfer.id, at, by: makerOf(actor) } as const;
  for (const { line, arrived, returned } of ended) {
    const moved = { ...cause, lineId: line.id };
    if (arrived.length > 0) levels.arrived.put(line.product_id, arrived, moved);
    if (returned.length > 0) levels.returned.put(line.product_id, returned, moved);
  }
  const { status } = input;
  // The destination may have moved to another company since the goods were sent.
  const arrival = status === 'completed' && { completed_at: at, to_company_id: receiving.company_id };
  const written = loss && { writeoff_id: loss.writeOff.id };
  const after = { ...transfer, ...arrival, ...written, status, updated_at: at };
  const isShort =
    status === 'completed' && ended.some(({ line, arrived }) => totalQuantity(arrived) < line.quantity);
  return { transfer, receiving, sender, levels, after, lines: isShort ? ended.map(lineAfter) : [], loss };
}

/**
 * Validates what arrived of each line. 403 for less than was sent without the right; 400 if it returns to a
 * warehouse that is gone.
 */
function checkArrived(
  actor: Staff,
  { products }: EndingInput,
  { lines, sender, canReturn }: Pick<TransitFacts, 'lines' | 'sender' | 'canReturn'>,
  issues: ValidationIssues,
): void {
  const sent = new Map(lines.map((line) => [line.id, line.quantity]));
  const isShort = products.some(({ id, quantity: came }) => came < (sent.get(id) ?? 0));
  if (isShort) requireRight(actor, RECEIVE_SHORT);
  for (const [index, requested] of products.entries()) {
    const max = sent.get(requested.id);
    if (max === undefined) issues.add(`products.${index}.id`, 'validation.not_found');
    else checkLine({ ...requested, max, path: `products.${index}` }, { sender, canReturn }, issues);
  }
}

/** Validates the quantity of a line that arrived, at most `max`, and what becomes of the rest. */
function checkLine(
  { quantity: came, missing, max, path }: EndingInput['products'][number] & { max: Units; path: string },
  { sender, canReturn }: Pick<TransitFacts, 'sender' | 'canReturn'>,
  issues: ValidationIssues,
): void {
  if (came > max) issues.add(`${path}.quantity`, { key: 'validation.too_large', with: { max: max / ONE } });
  if (came >= max) return;
  if (missing === null) issues.add(`${path}.missing`, 'validation.required');
  if (missing !== 'returned' || canReturn) return;
  if (!sender) throw badRequest('stock.gone');
  issues.add(`${path}.missing`, 'transfer.sender_not_open');
}

/** Builds the sender's write-off of lost goods, at the cost at which they were sent. Part 5, 5A.5 (2). */
function lossOf(
  actor: Staff,
  losses: readonly EndedLine[],
  { ids, transfer, sender }: Pick<TransitFacts, 'ids' | 'transfer' | 'sender'>,
  { at, locale }: { readonly at: Instant; readonly locale: Locale },
): Loss {
  const lines = losses.map(({ line, lost }, index): WriteOffLine => {
    const sent = new Map(line.batches.map((part) => [part.id, part.quantity]));
    return {
      id: ids.writeOffLine + index,
      product_id: line.product_id,
      quantity: totalQuantity(lost),
      source_product_id: null,
      reason: 'common_loss',
      comment: null,
      batches: lost.map((part) => {
        const left = (sent.get(part.id) ?? part.quantity) - part.quantity;
        return { ...part, amount: batchPartValue({ ...part, left }) };
      }),
    };
  });
  const writeOff: WriteOff = {
    ...makerOf(actor),
    ...timesOf(at),
    id: ids.writeOff,
    // The sender may have moved to another company since the goods were sent.
    company_id: sender?.company_id ?? transfer.company_id,
    stock_id: transfer.from_stock_id,
    ...{ source_type: 'transfer', source_id: transfer.id, supplier_id: null, supplier_operation_id: null },
    name: translateLabel(locale, { key: 'transfer.title', with: { id: transfer.id } }),
    status: 'completed',
    completed_at: at,
    amounts: amountsOf(lines),
    products_count: lines.length,
  };
  return { writeOff, lines };
}

/** Returns a line with the quantities of its goods that did not arrive. */
function lineAfter({ line, returned, lost }: EndedLine): StockTransferLine {
  return {
    ...line,
    ...(returned.length > 0 && { returned_quantity: totalQuantity(returned) }),
    ...(lost.length > 0 && { lost_quantity: totalQuantity(lost) }),
  };
}

/** Builds all writes of a transfer's end, apart from its saved response. */
export function transitEndWrites(tenant: Tenant, plan: EndPlan): Write[] {
  const { transfer, receiving, sender, levels, after, lines, loss } = plan;
  const isArrival = after.status === 'completed';
  const written = loss && newDocumentWrites(writeOffs, tenant, loss.writeOff, loss.lines);
  return [
    ...documentReplacement(stockTransfers, tenant, transfer, after),
    ...(lines.length > 0 ? lineWrites(documentRef(stockTransfers, tenant, transfer.id), lines) : []),
    ...levels.arrived.writes(isArrival ? receiving : undefined),
    ...levels.returned.writes(sender),
    ...(written ? [written.header, ...written.packs] : []),
  ];
}
