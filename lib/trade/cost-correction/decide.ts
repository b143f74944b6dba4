import type { StockLevel } from '#lib/stock/stock-level.ts';
import { type CostChange, correctCost, remainingOf, worthOf } from '#lib/stock/stock-level-change.ts';
import type {
  CostCorrection,
  CostCorrectionInput,
  CostCorrectionLine,
} from '#lib/trade/goods-receipt/cost-correction.ts';
import type { GoodsReceipt, GoodsReceiptLine } from '#lib/trade/goods-receipt/record.ts';
import { missingRateMessage } from '#lib/trade/pricing/price.ts';
import { badRequest } from '#lib/values/api-error.ts';
import {
  type Currency,
  convertAmount,
  MAX_AMOUNT,
  type MinorUnits,
  type Rates,
  totalAmount,
} from '#lib/values/money.ts';
import { amountOf } from '#lib/values/quantity.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Facts of a correction, as read. */
export interface CorrectionFacts {
  readonly lines: readonly GoodsReceiptLine[];
  readonly currency: Currency;
  readonly requested: CostCorrectionInput['products'];
  /** Stock levels of the corrected lines' products, in all warehouses of the family. */
  readonly stockLevels: readonly StockLevel[];
  readonly reportCurrency: Currency;
  readonly rates: Rates;
}

/** Changed stock level, and as it was read. */
interface Changed {
  readonly before: StockLevel;
  readonly after: StockLevel;
}

/** Plan of a correction. */
export interface CorrectionPlan {
  readonly products: readonly CostCorrectionLine[];
  /** Totals of its lines. */
  readonly sums: Pick<CostCorrection, 'amount' | 'gone_amount' | 'report_amount'>;
  /** All lines of the goods receipt, with the new costs. */
  readonly lines: readonly GoodsReceiptLine[];
  readonly changed: readonly Changed[];
}

/** Requires that a goods receipt's costs can be corrected: completed, and no stocktake's. 400 otherwise. */
export function requireCorrectableReceipt({ status, inventory_id }: GoodsReceipt): void {
  if (status === 'canceled') throw badRequest('purchase.canceled');
  if (status !== 'completed') throw badRequest('purchase.not_completed');
  if (inventory_id !== null) throw badRequest('purchase.of_inventory');
}

/** Finds the lines whose costs differ. 422 on unknown lines, and if no cost is another one. */
export function requireOtherCosts(
  lines: readonly GoodsReceiptLine[],
  requested: CostCorrectionInput['products'],
): GoodsReceiptLine[] {
  const byId = new Map(lines.map((line) => [line.id, line]));
  const issues = new ValidationIssues();
  for (const [index, { id }] of requested.entries()) {
    if (!byId.has(id)) issues.add(`products.${index}.id`, 'validation.not_found');
  }
  const found = requested.flatMap(({ id, cost }) => {
    const line = byId.get(id);
    return line && line.cost !== cost ? [line] : [];
  });
  if (found.length === 0 && !issues.areAny) issues.add('products', 'purchase.same_costs');
  issues.throwIfAny();
  return found;
}

/**
 * Decides a correction: goods in stock at a line's cost get the new one and remain, all others of the line
 * are gone. Part 5, 5A.4, 1; 3. 422 with all failing fields: on amounts over the limit, and on a cost whose
 * difference the report cannot have for want of a rate.
 */
export function decideCorrection(facts: CorrectionFacts): CorrectionPlan {
  const issues = new ValidationIssues();
  const costs = new Map(facts.requested.map(({ id, cost }, index) => [id, { cost, index }]));
  const corrected = facts.lines.flatMap((line) => {
    const { cost = line.cost, index = 0 } = costs.get(line.id) ?? {};
    return cost === line.cost
      ? []
      : [correctLine(facts, line, { cost, path: `products.${index}.cost` }, issues)];
  });
  const byId = new Map(corrected.map(({ line }) => [line.id, line]));
  const lines = facts.lines.map((line) => byId.get(line.id) ?? line);
  if (totalAmount(lines) > MAX_AMOUNT) issues.add('products', 'sale.amount_too_large');
  issues.throwIfAny();
  const products = corrected.map(({ product }) => product);
  const sum = (name: keyof CorrectionPlan['sums']) =>
    products.reduce((total, { [name]: amount }) => total + amount, 0);
  return {
    products,
    sums: { amount: sum('amount'), gone_amount: sum('gone_amount'), report_amount: sum('report_amount') },
    lines,
    changed: corrected.flatMap(({ changed }) => changed),
  };
}

/** Requested cost of a line, with its path in the body. */
interface RequestedCost {
  readonly cost: MinorUnits;
  readonly path: string;
}

function correctLine(
  { stockLevels, currency, reportCurrency, rates }: CorrectionFacts,
  line: GoodsReceiptLine,
  { cost, path }: RequestedCost,
  issues: ValidationIssues,
) {
  const { id, product_id, quantity, cost: previous_cost } = line;
  const correction: CostChange = { id, before: previous_cost, after: cost };
  const own = stockLevels.filter((level) => level.product_id === product_id);
  const changed = own.flatMap((before): Changed[] => {
    const after = correctCost(before, correction);
    return after === before ? [] : [{ before, after }];
  });
  const remaining_quantity = own.reduce((sum, level) => sum + remainingOf(level, correction), 0);
  const grown = changed.reduce(
    (sum, { before, after }) => sum + worthOf(after, currency) - worthOf(before, currency),
    0,
  );
  const newAmount = amountOf(cost, quantity);
  if (newAmount > MAX_AMOUNT) issues.add(path, 'sale.amount_too_large');
  else if ((convertAmount(newAmount, rates[currency], rates[reportCurrency]) ?? 0) > MAX_AMOUNT)
    issues.add(path, 'sale.cost_too_large');
  const amount = newAmount - line.amount;
  const gone_amount = amount - grown;
  const report_amount = convertSigned(gone_amount, rates[currency], rates[reportCurrency]);
  if (report_amount === undefined) issues.add(path, missingRateMessage(currency));
  return {
    line: { ...line, cost, amount: newAmount },
    product: {
      ...{ id, product_id, quantity, remaining_quantity, previous_cost, cost, amount, gone_amount },
      report_amount: report_amount ?? 0,
    },
    changed,
  };
}

/** Converts an amount of either sign; undefined without a rate, unless it is zero. */
function convertSigned(cents: MinorUnits, from: MinorUnits, to: MinorUnits): MinorUnits | undefined {
  if (cents === 0) return 0;
  const size = convertAmount(Math.abs(cents), from, to);
  return size === undefined ? undefined : Math.sign(cents) * size;
}
