import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { withoutIds } from '#lib/table/sequences.ts';
import { retryOnContention } from '#lib/table/transaction/transact.ts';
import { SaleAfterPreview } from '#lib/trade/sale/preview.ts';
import { requirePlan } from '#lib/trade/tracking-codes/claims.ts';
import { Money } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { decideReturn, type ReturnInput, returnPlanWrites } from './decide-return.ts';
import { RefundDue } from './refund-due.ts';
import { readReturn } from './return.ts';

/** Sale after a previewed return, with the refund due. */
export const ReturnPreview = SaleAfterPreview.extend({
  /** Value of the returned goods, and the amount to be paid out for them. */
  due: RefundDue.extend({ value: Money, amount: Money }),
});

/**
 * Previews a return: decides it as `returnGoods` does, from the same facts, but writes nothing and draws no
 * id. Refusals are those of the return, except that its payouts may fall short, and the desk needs no
 * shift. Part 5, 5B.5.
 */
export function previewReturn(
  actor: Staff,
  input: ReturnInput & { readonly id: number },
  at: Instant,
): Promise<z.input<typeof ReturnPreview>> {
  const { tenant } = actor;
  return withoutIds(() =>
    retryOnContention(async () => {
      const facts = await readReturn(actor, { ...input, movesMoney: false }, at);
      const ids = { return: 0, posting: 0, deposit: 0 };
      const decision = decideReturn(actor, input, { ...facts, ids }, { at, mayFallShort: true });
      const plan = await requirePlan(tenant, decision);
      // Rejects stock levels over their limits, as the return itself would.
      returnPlanWrites(tenant, plan);
      const { returned, total: amount, refund } = plan;
      return { ...returned.sale, updated_at: null, due: { ...refund, value: returned.made.amount, amount } };
    }),
  );
}
