import { makerOf, type Staff } from '#lib/access/actor.ts';

import { readEarner } from '#lib/clients/bonus-terms.ts';
import { clientByPhone } from '#lib/clients/client-by-phone.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { priceAgreed } from '#lib/trade/pricing/lines.ts';
import { readBasis } from '#lib/trade/sale/basis.ts';
import { takeGoods } from '#lib/trade/sale/goods.ts';
import { paymentsIn, takePayments } from '#lib/trade/sale/payments.ts';
import { drawSaleIds, newSale, saleWrites } from '#lib/trade/sale/write.ts';
import { type Cents, MOST_AMOUNT } from '#lib/values/money.ts';
import { Problems } from '#lib/values/problems.ts';
import { amountOf } from '#lib/values/quantity.ts';
import { begin } from '#lib/values/side-by-side.ts';
import type { Instant } from '#lib/values/time.ts';
import { agreementOf } from './detail.ts';
import { type CreditSale, externalIdWrite, findSold } from './external-id.ts';
import type { CreditInput } from './input.ts';

/**
 * Sells on credit, at the prices agreed upon: the client pays `initial_payment` in cash, the credit company
 * the rest by bank. The client is the family's with that main phone, or made in the same transaction. The
 * same `external_id` again gives the same sale, while a count has closed the warehouse or no shift is open,
 * too, which are 400 for a new one. 422 with all failing fields. Decisions, 3.
 */
export async function sellOnCredit(actor: Staff, input: CreditInput, at: Instant): Promise<CreditSale> {
  const { home } = actor;
  const maker = makerOf(actor);
  const { external_id } = input;
  const total = totalOf(input);
  const payments = paymentsFor(input, total);
  const named = { ...input, client_id: null, bundles: [] };
  const agreed = { source_type: 'credit', source_data: agreementOf(input, actor.username) } as const;
  return retryOnContention(async () => {
    const problems = new Problems();
    const reading = begin(
      Promise.all([
        clientByPhone(actor, { full_name: input.client.full_name, main_phone: input.client.phone }, at),
        drawSaleIds(home, payments),
        readBasis(actor, named, problems),
      ]),
    );
    const [made, [read]] = await Promise.all([findSold(actor, input), Promise.allSettled([reading])]);
    // A sale that was made is told, whatever would keep it from being made now.
    if (made) return made;
    if (read.status === 'rejected') throw read.reason;
    const [client, ids, basis] = read.value;
    const head = { ids, maker, client_id: client.id, hold_id: null, comment: null, ...agreed, at };

    const lines = priceAgreed(input.products, basis, problems);
    const goods = takeGoods(basis, lines, head, problems);
    checkTotal(input, total, problems);
    const earner = await readEarner(home, client, basis.desk.company_id);
    const paid = takePayments({ ...basis, ...earner }, payments, head, problems);
    if (problems.areAny) {
      // It may be that the same request was faster, and took the very goods that are short now.
      const earlier = await findSold(actor, input);
      if (earlier) return earlier;
      throw problems.refusal;
    }

    const sale = newSale({ ...basis, clientSums: client.sums }, head, goods, paid);
    await transact([
      ...saleWrites(home, basis, { sale, goods, paid }, null),
      ...client.writes,
      externalIdWrite(actor, input, sale),
    ]);
    return { id: sale.id, external_id, status: sale.status, code: sale.code };
  });
}

function totalOf({ products }: CreditInput): Cents {
  return products.reduce((sum, { price, quantity }) => sum + amountOf(price, quantity), 0);
}

function paymentsFor({ initial_payment, currency }: CreditInput, total: Cents) {
  const payments = [
    { payment_type: 'cash', amount: initial_payment, path: 'initial_payment' } as const,
    { payment_type: 'bank', amount: total - initial_payment, path: 'products' } as const,
  ];
  return paymentsIn(
    currency,
    payments.filter(({ amount }) => amount > 0),
  );
}

/** Checks that the client pays less than the total at once. */
function checkTotal({ initial_payment }: CreditInput, total: Cents, problems: Problems): void {
  if (total > MOST_AMOUNT) problems.add('products', 'sale.amount_too_large');
  else if (initial_payment >= total) {
    problems.add('initial_payment', { key: 'validation.not_below', with: { max: total / 100 } });
  }
}
