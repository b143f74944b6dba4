import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { type Accuracies, checkDecimals, type Measured, readAccuracies } from '#lib/catalog/accuracy.ts';
import type { Cause } from '#lib/stock/movement.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { newDocumentWrites, readAllLines } from '#lib/trade/document/lines.ts';
import { draftGoodsRemoval } from '#lib/trade/draft/record.ts';
import { typeIdOf } from '#lib/trade/pricing/price.ts';
import { checkPriceType } from '#lib/trade/pricing/price-type.ts';
import { quantitiesTaken } from '#lib/trade/sale/cart.ts';
import { takeForLines } from '#lib/trade/sale/goods.ts';
import { checkContext, readSaleContext, type SaleContext } from '#lib/trade/sale/sale-context.ts';
import { type Currency, totalAmount } from '#lib/values/money.ts';
import { dayOf, type Instant, startOfDay } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { getOpenHold, holdCause, replaceHoldLines } from './change.ts';
import { checkAmounts, priceForHold, withGoods } from './lines.ts';
import {
  type FullHold,
  type HeldGoods,
  HOLD_LINE,
  type Hold,
  type HoldInput,
  type HoldLine,
  holds,
} from './record.ts';

/** Data that goods for a hold are decided by, as read. */
interface HoldFacts {
  readonly basis: SaleContext;
  readonly quantities: readonly Measured[];
  readonly accuracies: Accuracies;
}

/**
 * Reserves goods for a customer: they leave stock at once, the oldest batches first, and the desk's draft
 * that they come from keeps its services alone. 422 with all failing fields; 400 if a stocktake has closed
 * the warehouse. Part 2, "Holds".
 */
export async function create(
  actor: Staff,
  input: HoldInput,
  at: Instant,
  saveResponse: (hold: Hold) => Write[],
): Promise<Hold> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const [id, facts] = await Promise.all([nextId(holds.type, tenant), readFacts(actor, input)]);
    const { hold, lines, basis } = decideHold(actor, input, { ...facts, id }, at);
    const { header, packs } = newDocumentWrites(holds, tenant, hold, lines);
    const draft = await draftGoodsRemoval(tenant, basis.desk, input.cheque, at);
    await transact([header, ...packs, ...basis.stockLevels.writes(), draft, ...saveResponse(hold)]);
    return hold;
  });
}

/** Decides a new hold; 422 with all failing fields. */
function decideHold(
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

/**
 * Adds the goods of a desk's sale draft to a hold; the draft keeps its services alone. A product already in
 * the hold is added at its held price. 400 for a hold that is closed or canceled, 422 with all failing
 * fields. Part 2, "Holds".
 */
export async function addProducts(
  actor: Staff,
  { id, ...input }: HeldGoods & { readonly id: number },
  at: Instant,
  saveResponse: (hold: FullHold) => Write[],
): Promise<FullHold> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const hold = await getOpenHold(actor, id);
    const { stock_id, price_type_id = null } = hold;
    const place = { stock_id, stockPath: 'cashbox_id', price_type_id };
    const [held, facts] = await Promise.all([
      readAllLines(holds, tenant, hold),
      readFacts(actor, { ...input, ...place, ownCurrency: hold.currency }),
    ]);
    const issues = new ValidationIssues();
    checkContext({ client_id: null, ...place }, facts.basis, issues);
    const { lines, basis } = addGoods(input, { ...facts, held, cause: holdCause(hold, actor, at) }, issues);
    issues.throwIfAny();

    const { full, writes } = await replaceHoldLines(actor, hold, lines, at);
    const draft = await draftGoodsRemoval(tenant, basis.desk, input.cheque, at);
    await transact([...writes, ...basis.stockLevels.writes(), draft, ...saveResponse(full)]);
    return full;
  });
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

/** Reads the context of goods for a hold: a sale's, in the hold's currency if it has one. */
async function readFacts(
  actor: Staff,
  named: HeldGoods & {
    readonly stock_id: number;
    readonly client_id?: number | null;
    readonly stockPath?: string;
    readonly ownCurrency?: Currency;
    readonly price_type_id: number | null;
  },
): Promise<HoldFacts> {
  const { client_id = null } = named;
  const terms = { client_id, movesMoney: false, lineType: HOLD_LINE };
  const basis = await readSaleContext(actor, { ...named, ...terms });
  const quantities = quantitiesTaken(named.products, basis.stockLevels);
  return { basis, quantities, accuracies: await readAccuracies(actor, quantities, basis.products) };
}
