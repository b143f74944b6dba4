import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { bonusesIn } from '#lib/clients/client-balances.ts';
import { roomToOwe } from '#lib/clients/debt-limits.ts';
import { withoutIds } from '#lib/table/sequences.ts';
import { retryOnContention } from '#lib/table/transaction/transact.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { allPaid } from '#lib/trade/sale/payments.ts';
import { PreviewedSale, previewOf } from '#lib/trade/sale/preview.ts';
import { requirePlan, requireUnclaimed } from '#lib/trade/tracking-codes/claims.ts';
import { Money } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { decideSale, type SalePlan, salePlanWrites } from './decide-sale.ts';
import { readSale } from './sell.ts';

/** Fields of a sale that a preview does not take. */
const OF_TILLS = { key: true, sold_at: true, known_at: true, creator_id: true, fiscal: true } as const;

/** Input of a preview: a sale's, whose payments may fall short. Part 5, 5B.5. */
export const SalePreviewInput = SaleInput.omit(OF_TILLS);

/** Previewed sale, with the amount due. */
export const SalePreview = PreviewedSale.extend({
  due: z.object({
    total: Money,
    paid: Money,
    /** Part of the total that is still to be paid. */
    left: Money,
    change_amount: Money,
    /** Bonuses, account and remaining debt limit of the client before the sale; null if unlimited. */
    bonuses: Money,
    deposit: Money,
    debt_left: Money.nullable(),
  }),
});

/**
 * Previews a sale: decides it as `sell` does, from the same facts, but writes nothing and draws no id.
 * Refusals are those of the sale, except that its payments may fall short, a debt needs no due date yet,
 * and the desk no shift. Part 5, 5B.5.
 */
export function previewSale(
  actor: Staff,
  input: z.output<typeof SalePreviewInput>,
  at: Instant,
): Promise<z.input<typeof SalePreview>> {
  const { tenant } = actor;
  const own = { key: null, sold_at: null, known_at: null, creator_id: null, fiscal: null };
  const sale = { ...input, ...own, due_date: input.due_date ?? dayOf(at) };
  return withoutIds(() =>
    retryOnContention(async () => {
      const facts = await readSale(actor, { ...sale, movesMoney: false }, at);
      const plan = await requirePlan(tenant, decideSale(actor, sale, facts, { at, mayFallShort: true }));
      await requireUnclaimed(tenant, { sold: plan.goods.marks, back: [] });
      // Rejects stock levels over their limits, as the sale itself would.
      salePlanWrites(tenant, plan);
      return { ...previewOf(plan.sale), due: dueOf(plan, at) };
    }),
  );
}

function dueOf({ sale, basis: { clientSums } }: SalePlan, at: Instant) {
  const { currency, sold_amount: total, change_amount = 0 } = sale;
  const paid = allPaid(sale);
  const bonuses = clientSums ? bonusesIn(clientSums, currency, dayOf(at)).spendable : 0;
  const debt_left = clientSums ? roomToOwe(clientSums, currency) : null;
  const deposit = sale.client_before?.deposit ?? 0;
  return { total, paid, left: total - paid, change_amount, bonuses, deposit, debt_left };
}
