import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { checkAccuracy } from '#lib/catalog/accuracy.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { newDocumentWrites, readAllLines } from '#lib/trade/document/lines.ts';
import { draftRemoval } from '#lib/trade/draft/record.ts';
import { takeForLines } from '#lib/trade/sale/goods.ts';
import { quantitiesTaken } from '#lib/trade/sale/quantities.ts';
import { readSaleContext, type SaleContext } from '#lib/trade/sale/sale-context.ts';
import { type Currency, totalAmount } from '#lib/values/money.ts';
import { dayOf, type Instant, startOfDay } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { getOpenHold, holdCause, replaceHoldLines } from './change.ts';
import { checkAmounts, priceForHold, withGoods } from './lines.ts';
import { type FullHold, type HeldGoods, HOLD_LINE, type Hold, type HoldInput, holds } from './record.ts';

/**
 * Sets goods aside for a customer: they leave the shelf at once, the oldest batches first, and the desk's
 * draft that they come from is cleared. 422 with all failing fields; 400 if a count has closed the warehouse.
 * Part 2, "Holds".
 */
export async function create(
  actor: Staff,
  input: HoldInput,
  at: Instant,
  saveResponse: (hold: Hold) => Write[],
): Promise<Hold> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const issues = new ValidationIssues();
    const [id, basis] = await Promise.all([nextId(holds.type, tenant), readHeldBasis(actor, input, issues)]);
    if (input.date !== null && input.date < dayOf(at)) issues.add('date', 'validation.in_past');
    await checkQuantities(actor, input, basis, issues);
    const priced = priceForHold(input, [], basis, issues);
    const lines = withGoods([], takeForLines(basis, priced, holdCause({ id }, actor, at), issues), issues);
    checkAmounts(lines, input.products, issues);
    issues.throwIfAny();

    const hold: Hold = {
      ...termsOf(input),
      ...makerOf(actor),
      id,
      updater_id: actor.id,
      company_id: basis.desk.company_id,
      sale_id: null,
      currency: basis.pricing.currency,
      amount: totalAmount(lines),
      status: 'in_progress',
      products_count: lines.length,
      created_at: at,
      updated_at: at,
    };
    const { header, packs } = newDocumentWrites(holds, tenant, hold, lines);
    const draft = draftRemoval(tenant, basis.desk, input.cheque);
    await transact([header, ...packs, ...basis.stockLevels.writes(), draft, ...saveResponse(hold)]);
    return hold;
  });
}

/**
 * Adds the goods of a desk's cheque to a hold, and clears the draft they come from. A product that is in the
 * hold is added at its held price. 400 for a hold that is closed or canceled, 422 with all failing fields.
 * Part 2, "Holds".
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
    const issues = new ValidationIssues();
    const place = { stock_id: hold.stock_id, stockPath: 'cashbox_id' };
    const named = { ...input, ...place, ownCurrency: hold.currency };
    const [lines, basis] = await Promise.all([
      readAllLines(holds, tenant, hold),
      readHeldBasis(actor, named, issues),
    ]);
    await checkQuantities(actor, input, basis, issues);
    const priced = priceForHold(input, lines, basis, issues);
    const taken = takeForLines(basis, priced, holdCause(hold, actor, at), issues);
    const all = withGoods(lines, taken, issues);
    checkAmounts(all, input.products, issues);
    issues.throwIfAny();

    const { full, writes } = await replaceHoldLines(actor, hold, all, at);
    await transact([
      ...writes,
      ...basis.stockLevels.writes(),
      draftRemoval(tenant, basis.desk, input.cheque),
      ...saveResponse(full),
    ]);
    return full;
  });
}

/** Checks that no quantity has more digits than its unit, if the family wants that. Contract 9.112. */
function checkQuantities(
  actor: Staff,
  { products }: HeldGoods,
  basis: SaleContext,
  issues: ValidationIssues,
) {
  return checkAccuracy(actor, quantitiesTaken(products, basis.stockLevels), issues, basis.products);
}

/** Gives what a body says of a hold besides its goods: for whom, from where, until when. */
function termsOf({ stock_id, full_name, date, comment }: HoldInput) {
  return { stock_id, full_name, date: date === null ? null : startOfDay(date), comment };
}

/** Reads what a hold rests on: a cheque's basis without a client, a new one's in the sale currency. */
function readHeldBasis(
  actor: Staff,
  named: HeldGoods & {
    readonly stock_id: number;
    readonly stockPath?: string;
    readonly ownCurrency?: Currency;
  },
  issues: ValidationIssues,
): Promise<SaleContext> {
  return readSaleContext(
    actor,
    { ...named, client_id: null, movesMoney: false, lineType: HOLD_LINE },
    issues,
  );
}
