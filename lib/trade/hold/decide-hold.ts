import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { type Accuracies, checkDecimals, type Measured } from '#lib/catalog/accuracy.ts';
import { documentReplacement } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { Cause } from '#lib/stock/movement.ts';
import type { StockLevels } from '#lib/stock/stock-levels.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { documentRef } from '#lib/trade/document/lines.ts';
import { typeIdOf } from '#lib/trade/pricing/price.ts';
import { checkPriceType } from '#lib/trade/pricing/price-type.ts';
import { takeForLines } from '#lib/trade/sale/goods.ts';
import { checkContext, type SaleContext } from '#lib/trade/sale/sale-context.ts';
import { totalAmount } from '#lib/values/money.ts';
import { dayOf, type Instant, startOfDay } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { checkAmounts, holdCause, priceForHold, withGoods } from './lines.ts';
import { type HeldGoods, type Hold, type HoldInput, type HoldLine, holds, type OpenHold } from './record.ts';

/** Data that goods for a hold are decided by, as read. */
export interface HoldFacts {
  readonly basis: SaleContext;
  readonly quantities: readonly Measured[];
  readonly accuracies: Accuracies;
}

/** Change of a hold, with its lines after it. */
export interface HoldChange {
  readonly before: OpenHold;
  readonly after: OpenHold;
  readonly lines: readonly HoldLine[];
}

/** Decides a new hold; 422 with all failing fields. */
export function decideHold(
  actor: Staff,
  input: HoldInput,
  { id, ...facts }: HoldFacts & { readonly id: number },
  at: Instant,
) {
  const issues = new ValidationIssues();
  checkContext(input, facts.basis, issues);
  checkPriceType(facts.basis.pricing, issues);
  if (input.date !== null && input.date < dayOf(at)) issues.add('date', 'validation.in_past');
  const { lines, basis } = addGoods(
    input,
    { ...facts, held: [], cause: holdCause({ id }, actor, at) },
    issues,
  );
  issues.throwIfAny();
  const hold: Hold = {
    ...termsOf(input),
    ...makerOf(actor),
    id,
    updater_id: actor.id,
    company_id: basis.desk.company_id,
    sale_id: null,
    currency: basis.pricing.currency,
    price_type_id: typeIdOf(basis.pricing),
    amount: totalAmount(lines),
    deposit_amount: 0,
    status: 'in_progress',
    products_count: lines.length,
    created_at: at,
    updated_at: at,
  };
  return { hold, lines, basis };
}

/** Returns the place and price type of a hold that gets more goods: its warehouse is that of the desk. */
export function placeOfHold({ stock_id, price_type_id = null }: OpenHold) {
  return { stock_id, stockPath: 'cashbox_id', price_type_id };
}

/** Decides more goods of a hold in progress; 422 with all failing fields. */
export function decideAddition(
  actor: Staff,
  input: HeldGoods,
  { hold, held, ...facts }: HoldFacts & { readonly hold: OpenHold; readonly held: readonly HoldLine[] },
  at: Instant,
) {
  const issues = new ValidationIssues();
  checkContext({ client_id: null, ...placeOfHold(hold) }, facts.basis, issues);
  const { lines, basis } = addGoods(input, { ...facts, held, cause: holdCause(hold, actor, at) }, issues);
  issues.throwIfAny();
  return { ...withLines(actor, hold, lines, at), basis };
}

/**
 * Takes goods from stock and adds them to the lines of a hold; violations go to `issues`. Returns all lines,
 * and the context with the stock levels after it.
 */
function addGoods(
  input: HeldGoods,
  {
    held,
    cause,
    ...facts
  }: HoldFacts & { readonly held: readonly HoldLine[]; readonly cause: Omit<Cause, 'lineId'> },
  issues: ValidationIssues,
) {
  const basis = { ...facts.basis, stockLevels: facts.basis.stockLevels.copy() };
  checkDecimals(facts.quantities, facts.accuracies, issues);
  const priced = priceForHold(input, held, basis, issues);
  const lines = withGoods(held, takeForLines(basis, priced, cause, issues), issues);
  checkAmounts(lines, input.products, issues);
  return { lines, basis };
}

/** Returns the fields of a hold apart from its goods. */
function termsOf({ stock_id, client_id, full_name, date, comment }: HoldInput) {
  return { stock_id, client_id, full_name, date: date === null ? null : startOfDay(date), comment };
}

/** Replaces the lines of a hold. */
export function withLines(
  actor: Staff,
  before: OpenHold,
  lines: readonly HoldLine[],
  at: Instant,
): HoldChange {
  const contents = { amount: totalAmount(lines), products_count: lines.length };
  return { before, after: { ...before, ...contents, updater_id: actor.id, updated_at: at }, lines };
}

/** Builds the writes of a hold with other lines, apart from those of stock. */
export function holdChangeWrites(tenant: Tenant, { before, after, lines }: HoldChange): Write[] {
  return [
    ...documentReplacement(holds, tenant, before, after),
    ...lineWrites(documentRef(holds, tenant, before.id), lines, before.products_count),
  ];
}

/** Data that the cancellation of a hold is decided by, as read. */
export interface CancelFacts {
  readonly hold: OpenHold;
  readonly lines: readonly HoldLine[];
  readonly stockLevels: StockLevels;
}

/** Decides the cancellation of a hold: its goods return to the batches that they were taken from. */
export function decideCancel(actor: Staff, { hold, lines, ...facts }: CancelFacts, at: Instant) {
  const stockLevels = facts.stockLevels.copy();
  stockLevels.putLines(lines, holdCause(hold, actor, at));
  const after = { ...hold, status: 'canceled', updater_id: actor.id, updated_at: at } as const;
  return { after, stockLevels };
}
