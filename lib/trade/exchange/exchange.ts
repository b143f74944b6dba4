import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import type { Write } from '#lib/table/change/write.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { Sale } from '#lib/trade/sale/record.ts';
import { requirePlan } from '#lib/trade/tracking-codes/claims.ts';
import type { Instant } from '#lib/values/time.ts';
import { decideExchange, exchangeWrites } from './decide-exchange.ts';
import { type ExchangeInput, readExchange } from './sides.ts';

/** Both sales of an exchange. Part 2, "Sales". */
export const Exchange = z.object({ original_sale: Sale, exchange_sale: Sale });

type Exchange = z.input<typeof Exchange>;

/**
 * Exchanges goods of a sale for others, in one transaction: the returned ones go back to their batches, the
 * others are a new sale. The returned value pays for the new goods, the difference is paid by or to the
 * customer. 400 as for a return, 422 with all failing fields. Part 2, "Sales"; Contract 9.25.
 */
export function exchange(
  actor: Staff,
  input: ExchangeInput & { readonly id: number },
  at: Instant,
  saveResponse: (both: Exchange) => Write[],
): Promise<Exchange> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const facts = await readExchange(actor, input);
    const plan = await requirePlan(tenant, decideExchange(actor, input, facts, { at }));
    const both = { original_sale: plan.returned.sale, exchange_sale: plan.sold.sale };
    await transact([...exchangeWrites(tenant, plan), ...saveResponse(both)]);
    return both;
  });
}
