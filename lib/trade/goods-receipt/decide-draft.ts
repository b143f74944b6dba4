import type * as z from 'zod';
import { requireTrading, type Staff } from '#lib/auth/actor.ts';
import { type Accuracies, checkDecimals, type Measured } from '#lib/catalog/accuracy.ts';
import type { ProductCard } from '#lib/catalog/card.ts';
import { type Currency, convertAmount, MAX_AMOUNT, type Rates, totalAmount } from '#lib/values/money.ts';
import { amountOf } from '#lib/values/quantity.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { whyNotPriced } from './price.ts';
import type { GoodsReceipt, GoodsReceiptEdit, GoodsReceiptInput, GoodsReceiptLine } from './record.ts';

/** Data that a draft is decided by, as read. */
export interface DraftFacts {
  /** Id of its first line; the others follow. */
  readonly firstId: number;
  /** Warehouse, if open to the caller. */
  readonly warehouse: Parameters<typeof requireTrading>[1] | undefined;
  /** True if the supplier is open to the caller. */
  readonly isSupplierOpen: boolean;
  /** Products that exist, by id. */
  readonly cards: ReadonlyMap<number, z.input<typeof ProductCard>>;
  readonly accuracies: Accuracies;
  readonly rates: Rates;
  /** Sale currency of the caller's company. */
  readonly saleCurrency: Currency;
}

/** Draft before an edit, with its lines, which are needed only if a cost is left out. */
export interface EditedDraft extends Pick<GoodsReceipt, 'currency'> {
  readonly lines: readonly GoodsReceiptLine[];
}

/** Fields of a draft that follow from its body. */
type DraftHead = Omit<GoodsReceiptInput, 'products'> &
  Pick<GoodsReceipt, 'amount' | 'company_id' | 'products_count'>;

/** Line of a body, with its path for errors. */
interface RequestedLine extends Omit<GoodsReceiptLine, 'id'> {
  readonly currency: Currency;
  readonly path: string;
}

/** A valid draft. */
interface Draft {
  readonly lines: readonly GoodsReceiptLine[];
  readonly head: DraftHead;
}

/**
 * Decides the body of a draft: its lines, and the header fields derived from it. 422 with all failing fields:
 * on records that do not exist or are not open to the caller, on a cost left out as in `costKept`, on a sale
 * price below its product's floor, and on an amount over the limit, also when converted to the sale currency,
 * since such goods could never be sold; 400 if the company of the warehouse is deleted.
 */
export function decideDraft(
  actor: Staff,
  input: GoodsReceiptEdit,
  facts: DraftFacts,
  before?: EditedDraft,
): Draft {
  const { stock_id, supplier_id, currency, comment } = input;
  const { warehouse } = facts;
  const issues = new ValidationIssues();
  if (warehouse) requireTrading(actor, warehouse);
  else issues.add('stock_id', 'validation.not_found');
  if (supplier_id !== null && !facts.isSupplierOpen) issues.add('supplier_id', 'validation.not_found');
  checkDecimals(quantitiesReceived(input), facts.accuracies, issues);

  const lines = input.products.map((given, index): GoodsReceiptLine => {
    const { product_id, quantity, sale_price } = given;
    const path = `products.${index}`;
    const cost = given.cost ?? (before?.currency === currency ? costKept(before.lines, given) : undefined);
    if (cost === undefined) issues.add(`${path}.cost`, 'validation.required');
    const amount = amountOf(cost ?? 0, quantity);
    const line = { product_id, quantity, sale_price, cost: cost ?? 0, amount };
    checkLine({ ...line, currency, path }, facts, issues);
    return { ...line, id: facts.firstId + index };
  });
  const amount = totalAmount(lines);
  if (amount > MAX_AMOUNT) issues.add('products', 'sale.amount_too_large');
  if (!warehouse || issues.areAny) throw issues.refusal;
  const { company_id } = warehouse;
  const head = { stock_id, supplier_id, currency, comment, amount, company_id, products_count: lines.length };
  return { lines, head };
}

/** Validates a line's product and price, and that its amount is within the limit. */
function checkLine(
  { product_id, path, currency, amount, ...line }: RequestedLine,
  { cards, rates, saleCurrency }: DraftFacts,
  issues: ValidationIssues,
): void {
  const card = cards.get(product_id);
  const obstacle = card && whyNotPriced(card, { ...line, currency }, rates);
  if (!card) issues.add(`${path}.product_id`, 'validation.not_found');
  if (obstacle) issues.add(`${path}.sale_price`, obstacle.phrase);
  const worth = convertAmount(amount, rates[currency], rates[saleCurrency]) ?? 0;
  if (amount > MAX_AMOUNT) issues.add(`${path}.quantity`, 'sale.amount_too_large');
  else if (worth > MAX_AMOUNT) issues.add(`${path}.cost`, 'sale.cost_too_large');
}

/**
 * Returns the cost of a line whose edit leaves it out: the one that it has, if it is still of the same
 * product. Part 5, 5A.13.
 */
function costKept(
  lines: readonly GoodsReceiptLine[],
  { id, product_id }: GoodsReceiptEdit['products'][number],
): number | undefined {
  return lines.find((line) => line.id === id && line.product_id === product_id)?.cost;
}

/** Lists the quantities of a body, for the check of their decimal places. */
export function quantitiesReceived({ products }: Pick<GoodsReceiptEdit, 'products'>): Measured[] {
  return products.map(({ product_id, quantity }, index) => {
    return { product_id, quantity, path: `products.${index}.quantity` };
  });
}
