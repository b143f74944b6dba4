import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { withoutIds } from '#lib/table/sequences.ts';
import { retryOnContention } from '#lib/table/transaction/transact.ts';
import { RefundDue } from '#lib/trade/return/refund-due.ts';
import { PreviewedSale, previewOf, SaleAfterPreview } from '#lib/trade/sale/preview.ts';
import { requirePlan, requireUnclaimed } from '#lib/trade/tracking-codes/claims.ts';
import { Money } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { decideExchange, exchangeWrites } from './decide-exchange.ts';
import { type ExchangeInput, readExchange } from './sides.ts';

/** Both sales of a previewed exchange, with the difference due. */
export const ExchangePreview = z.object({
  original_sale: SaleAfterPreview,
  exchange_sale: PreviewedSale,
  due: RefundDue.extend({ returned_amount: Money, new_amount: Money, surcharge: Money, payout: Money }),
});

/**
 * Previews an exchange: decides it as `exchange` does, from the same facts, but writes nothing and draws no
 * id. Refusals are those of the exchange, except that the difference may be paid in part, a debt needs no
 * due date yet, and the desk no shift. Part 5, 5B.5.
 */
export function previewExchange(
  actor: Staff,
  input: ExchangeInput & { readonly id: number },
  at: Instant,
): Promise<z.input<typeof ExchangePreview>> {
  const { tenant } = actor;
  const whole = { ...input, due_date: input.due_date ?? dayOf(at) };
  return withoutIds(() =>
    retryOnContention(async () => {
      const facts = await readExchange(actor, { ...whole, movesMoney: false });
      const occasion = { at, mayFallShort: true };
      const plan = await requirePlan(tenant, decideExchange(actor, whole, facts, occasion));
      const { returned, sold, back, due } = plan;
      await requireUnclaimed(tenant, { sold: sold.goods.marks, back });
      // Rejects stock levels over their limits, as the exchange itself would.
      exchangeWrites(tenant, plan);
      const { source_data } = facts.original.sale;
      const original_sale = { ...returned.sale, source_data, updated_at: null };
      return { original_sale, exchange_sale: previewOf(sold.sale), due };
    }),
  );
}
