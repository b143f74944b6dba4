import * as z from 'zod';
import { makerOf, type Staff } from '#lib/access/actor.ts';

import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { priceLines } from '#lib/trade/pricing/lines.ts';
import { putReturned } from '#lib/trade/return/goods.ts';
import { originWrites } from '#lib/trade/return/origins.ts';
import { chequeReturnWrites, makeReturn } from '#lib/trade/return/write.ts';
import { takeGoods } from '#lib/trade/sale/goods.ts';
import { checkDebtor, paymentsOf } from '#lib/trade/sale/payments.ts';
import { Sale } from '#lib/trade/sale/record.ts';
import { SALE_RETURN } from '#lib/trade/sale/returns-of.ts';
import { chequeWrites, drawSaleIds, incomeWrites } from '#lib/trade/sale/write.ts';
import { totalAmount } from '#lib/values/money.ts';
import { Problems } from '#lib/values/problems.ts';
import type { Instant } from '#lib/values/time.ts';
import { payDifference } from './difference.ts';
import type { ExchangeInput } from './input.ts';
import { checkPlaces, readSides } from './sides.ts';
import { bothClientsWrites, bothShelvesWrites, exchangeSale, withPayouts } from './write.ts';

/** Both cheques of an exchange. Part 2, "Sales". */
export const Exchange = z.object({ original_sale: Sale, exchange_sale: Sale });

type Exchange = z.input<typeof Exchange>;

/**
 * Exchanges goods of a cheque for others: the ones go back to their batches, the others are a new cheque. The
 * returned value pays for the new goods, the difference is paid by or to the customer. All of it or nothing,
 * in one transaction. 400 as a return, 422 with all failing fields. Part 2, "Sales"; Decisions, 9 (25).
 */
export async function exchange(
  actor: Staff,
  { id, ...input }: ExchangeInput & { readonly id: number },
  at: Instant,
  remember: (both: Exchange) => Write[],
): Promise<Exchange> {
  const { home } = actor;
  const maker = makerOf(actor);
  const { client_id, comment } = input;
  const payments = paymentsOf(input);
  return retryOnContention(async () => {
    const problems = new Problems();
    const [ids, returnId, sides] = await Promise.all([
      drawSaleIds(home, payments),
      nextId(SALE_RETURN, home),
      readSides(actor, { id, ...input }, problems),
    ]);
    const { original, basis, back, returning } = sides;
    const { sale } = original;
    const source = { source_type: 'native', source_data: { exchange_key: `exchange-${returnId}` } } as const;
    const head = { ids, maker, client_id, hold_id: null, comment, ...source, at };

    checkPlaces(input, basis, sale, problems);
    checkDebtor(input, payments, at, problems);
    const cause = { document: 'exchange', documentId: returnId, by: maker, at } as const;
    const products = putReturned(back, returning, sale, cause);
    const lines = priceLines(input, basis, problems);
    const goods = takeGoods(basis, lines, head, problems.unless('returned_products'));
    const worth = { total: totalAmount(lines), value: totalAmount(products) };
    const difference = payDifference(sides, { payments, ...worth }, head, problems);
    problems.throwIfAny();

    const { allotment, paid } = difference;
    const places = { cashbox_id: basis.desk.id, stock_id: sale.stock_id, exchange_sale_id: ids.sale };
    const history = { ...places, id: returnId, kind: 'exchange', products, ...maker } as const;
    const { after, made, moved, charge } = makeReturn(original, history, {
      ...difference,
      heir: client_id,
      at,
    });
    const both = {
      original_sale: { ...after.sale, source_data: { ...sale.source_data, ...head.source_data } },
      exchange_sale: exchangeSale(sides, head, goods, { ...difference, moved }),
    };
    await transact([
      ...chequeReturnWrites(home, original, { ...after, sale: both.original_sale }, made),
      ...chequeWrites(home, both.exchange_sale, goods.lines),
      ...incomeWrites(home, basis.desk, withPayouts(difference)),
      ...bothClientsWrites(original, both.exchange_sale, { home, charge, paid }, input.due_date),
      ...originWrites(home, original, { allotment, moved }, at),
      ...bothShelvesWrites(sides),
      ...remember(both),
    ]);
    return both;
  });
}
