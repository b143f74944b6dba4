import type { Staff } from '#lib/access/actor.ts';
import { makerOf } from '#lib/access/impersonation.ts';
import { shelfWrites } from '#lib/stock/shelves.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { draftRemoval } from '#lib/trade/draft/record.ts';
import { heldPrices } from '#lib/trade/hold/prices.ts';
import {
  checkTerms,
  putRedeemedAside,
  type RedeemedHold,
  readRedeemed,
  redeemedLines,
  redemptionWrites,
  requireSameLines,
} from '#lib/trade/hold/redeem.ts';
import { Problems } from '#lib/values/problems.ts';
import type { Instant } from '#lib/values/time.ts';
import { type Basis, readBasis } from './basis.ts';
import { priceLines } from './cart.ts';
import { takeGoods } from './goods.ts';
import type { SaleInput } from './input.ts';
import { checkDebtor, checkTotal, paymentsOf, takePayments } from './payments.ts';
import type { PricedLine } from './price.ts';
import type { Sale } from './record.ts';
import { chequeWrites, clientWrites, drawSaleIds, incomeWrites, newSale } from './write.ts';

/** A sale that was made in the service itself. */
const NATIVE: Pick<Sale, 'source_type' | 'source_data'> = { source_type: 'native', source_data: [] };

/**
 * Sells goods: takes them off the warehouse, the oldest batches first, and posts what is paid to the desk.
 * All of it or nothing, in one transaction; 422 with all failing fields. `remember` keeps the answer for a
 * repetition of the call. Decisions, 5.
 */
export async function sell(
  actor: Staff,
  input: SaleInput,
  at: Instant,
  remember: (sale: Sale) => Write[],
): Promise<Sale> {
  const { home } = actor;
  const maker = makerOf(actor);
  const { client_id, hold_id, comment } = input;
  const payments = paymentsOf(input);
  return retryOnContention(async () => {
    const problems = new Problems();
    const redeemed =
      hold_id === null ? undefined : await readRedeemed(actor, { ...input, hold_id }, problems);
    const named = { ...input, setAside: redeemed?.lines };
    const [ids, basis] = await Promise.all([
      drawSaleIds(home, payments),
      readBasis(actor, named, problems),
      redeemed && requireSameLines(home, redeemed),
    ]);
    const head = { ids, ...maker, client_id, hold_id, comment, ...NATIVE, at };
    const cause = { document: 'sale', documentId: ids.sale, by: maker, at } as const;

    checkDebtor(input, payments, at, problems);
    if (redeemed) {
      checkTerms(redeemed, basis, problems);
      putRedeemedAside(basis.shelves, redeemed, { actor, at });
    }
    const lines = linesOf(input, basis, redeemed, problems);
    const goods = takeGoods(basis, lines, cause, problems);
    checkTotal(payments, lines, problems.unless('hold_id'));
    const paid = takePayments(basis, payments, head, problems);
    problems.throwIfAny();

    const sale = newSale(basis, head, goods, paid);
    await transact([
      ...chequeWrites(home, sale, goods.lines),
      ...incomeWrites(home, basis.desk, paid),
      ...clientWrites(home, sale, { ...basis, ...paid }, input.due_date),
      ...shelfWrites(basis.shelves, basis.warehouse),
      ...(redeemed ? redemptionWrites(home, redeemed, sale) : []),
      ...(input.cheque === null ? [] : [draftRemoval(home, basis.desk, input.cheque)]),
      ...remember(sale),
    ]);
    return sale;
  });
}

/**
 * Prices the lines of a sale; those of a hold that is sold whole are as it promised them. Decisions, 9 (1).
 */
function linesOf(
  input: SaleInput,
  basis: Basis,
  redeemed: RedeemedHold | undefined,
  problems: Problems,
): PricedLine[] {
  const isWhole = input.hold_id !== null && input.products.length + input.bundles.length === 0;
  if (isWhole) return redeemed ? redeemedLines(redeemed) : [];
  if (!redeemed) return priceLines(input, basis, problems);
  const pricing = { ...basis.pricing, held: heldPrices(redeemed.lines) };
  return priceLines(input, { ...basis, pricing }, problems.unless('hold_id'));
}
