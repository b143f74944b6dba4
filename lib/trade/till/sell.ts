import { makerOf, type Staff } from '#lib/access/actor.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { draftRemoval } from '#lib/trade/draft/record.ts';
import { priceLines } from '#lib/trade/pricing/lines.ts';
import { readBasis } from '#lib/trade/sale/basis.ts';
import { takeGoods } from '#lib/trade/sale/goods.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import {
  checkDebtor,
  checkTotal,
  type Payments,
  paymentsOf,
  takePayments,
} from '#lib/trade/sale/payments.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import { drawSaleIds, newSale, saleWrites } from '#lib/trade/sale/write.ts';
import { Problems } from '#lib/values/problems.ts';
import type { Instant } from '#lib/values/time.ts';
import {
  checkTerms,
  priceRedeemed,
  putRedeemedAside,
  readRedeemed,
  redemptionWrites,
  requireSameLines,
} from './redeem.ts';

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
    const { ids, basis, redeemed } = await readSale(actor, input, payments, problems);
    const head = { ids, maker, client_id, hold_id, comment, ...NATIVE, at };

    checkDebtor(input, payments, at, problems);
    if (redeemed) {
      checkTerms(redeemed, basis, problems);
      putRedeemedAside(basis.shelves, redeemed, { actor, at });
    }
    const lines =
      hold_id === null ? priceLines(input, basis, problems) : priceRedeemed(input, redeemed, basis, problems);
    const goods = takeGoods(basis, lines, head, problems);
    checkTotal(payments, lines, problems.unless('hold_id'));
    const paid = takePayments(basis, payments, head, problems);
    problems.throwIfAny();

    const sale = newSale(basis, head, goods, paid);
    await transact([
      ...saleWrites(home, basis, { sale, goods, paid }, input.due_date),
      ...(redeemed ? redemptionWrites(home, redeemed, sale) : []),
      ...(input.cheque === null ? [] : [draftRemoval(home, basis.desk, input.cheque)]),
      ...remember(sale),
    ]);
    return sale;
  });
}

/** Reads what a sale rests on: the hold that it closes, if it names one, and then all else beside its ids. */
async function readSale(actor: Staff, input: SaleInput, payments: Payments, problems: Problems) {
  const { hold_id } = input;
  const redeemed = hold_id === null ? undefined : await readRedeemed(actor, { ...input, hold_id }, problems);
  const [ids, basis] = await Promise.all([
    drawSaleIds(actor.home, payments),
    readBasis(actor, { ...input, setAside: redeemed?.lines }, problems),
    redeemed && requireSameLines(actor.home, redeemed),
  ]);
  return { ids, basis, redeemed };
}
