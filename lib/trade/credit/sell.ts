import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { clientByPhone } from '#lib/clients/client-by-phone.ts';
import { shelfWrites } from '#lib/stock/shelves.ts';
import type { Item } from '#lib/table/client.ts';
import { type Home, nameKey, recordKey } from '#lib/table/keys.ts';
import { holderIn } from '#lib/table/names.ts';
import { getItem } from '#lib/table/reads.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { putNew } from '#lib/table/transaction/write.ts';
import { type Deal, readDeal } from '#lib/trade/sale/deal.ts';
import { takeGoods } from '#lib/trade/sale/goods.ts';
import { problemWith } from '#lib/trade/sale/payments.ts';
import { agreedLine, type PricedLine } from '#lib/trade/sale/price.ts';
import { Sale, sales } from '#lib/trade/sale/record.ts';
import { drawSaleIds, newSale, saleWrites } from '#lib/trade/sale/write.ts';
import { type Cents, MOST_AMOUNT } from '#lib/values/money.ts';
import { Problems } from '#lib/values/problems.ts';
import { amountOf } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';
import { agreementOf } from './detail.ts';
import type { CreditInput } from './input.ts';

/** A sale as the credit system sees it. Decisions, 3. */
export const CreditSale = Sale.pick({ id: true, status: true, code: true }).extend({
  external_id: z.string(),
});

type CreditSale = z.input<typeof CreditSale>;

/**
 * Sells on credit, at the prices agreed upon: the client pays `initial_payment` in cash, the credit company
 * the rest by bank. The client is the family's with that main phone, or made in the same transaction. The
 * same `external_id` again gives the same sale, whatever else it comes with. Decisions, 3. 422 with all
 * failing fields.
 */
export async function sellOnCredit(actor: Staff, input: CreditInput, at: Instant): Promise<CreditSale> {
  const { external_id, cashbox_id, stock_id, initial_payment } = input;
  const { transactions, total } = paymentsFor(input);
  const drawing = drawSaleIds(actor.home, input.products.length, { ...input, transactions });
  const named = { full_name: input.client.full_name, main_phone: input.client.phone };
  const cheque = { ...input, client_id: null, hold_id: null, bundles: [] };
  return retryOnContention(async () => {
    const problems = new Problems();
    const [made, ids, deal, client] = await Promise.all([
      soldBefore(actor.home, external_id),
      drawing,
      readDeal(actor, cheque, problems),
      clientByPhone(actor, named, at),
    ]);
    if (made) return made;
    const cause = { document: 'sale', documentId: ids.sale, at, by: actor.id } as const;
    const priced = priceLines(input, deal, problems);
    const taken = takeGoods(deal.shelves, priced, ids.lines.first, cause, deal.pricing, problems);
    checkTerms(initial_payment, { transactions, total }, deal, problems);
    const { desk, pricing, shelves } = deal;
    if (problems.areAny || !desk) {
      // The same request may have been faster, and taken the very goods that are short now.
      const earlier = await soldBefore(actor.home, external_id);
      if (earlier) return earlier;
      throw problems.refusal;
    }
    const places = { cashbox_id, stock_id, client_id: client.id };
    const source = { source_type: 'credit', source_data: agreementOf(input, actor.username) } as const;
    const terms = { ...places, ...source, transactions, due_date: null, comment: null };
    const sold = newSale(actor, terms, { ...taken, desk, pricing, ids }, at);
    const { id, status, code } = sold.sale;
    await transact([
      ...saleWrites(actor.home, sold),
      ...shelfWrites(shelves),
      ...client.writes,
      putNew(externalKey(actor.home, external_id), { id }),
    ]);
    return { id, external_id, status, code };
  });
}

function paymentsFor({ products, initial_payment }: CreditInput) {
  const total = products.reduce((sum, { price, quantity }) => sum + amountOf(price, quantity), 0);
  const payments = [
    { payment_type: 'cash', amount: initial_payment } as const,
    { payment_type: 'bank', amount: total - initial_payment } as const,
  ];
  return { total, transactions: payments.filter(({ amount }) => amount > 0) };
}

/** Checks that the client pays less than the total at once, and that the desk has room for both payments. */
function checkTerms(
  initialPayment: Cents,
  { transactions, total }: ReturnType<typeof paymentsFor>,
  deal: Deal,
  problems: Problems,
): void {
  if (total > MOST_AMOUNT) problems.add('products', 'sale.amount_too_large');
  else if (initialPayment >= total) {
    problems.add('initial_payment', { key: 'validation.below_number', with: { max: total / 100 } });
  }
  for (const payment of transactions) {
    const problem = problemWith(payment, deal);
    if (problem) problems.add(payment.payment_type === 'cash' ? 'initial_payment' : 'products', problem);
  }
}

function priceLines({ products: asked }: CreditInput, { products }: Deal, problems: Problems): PricedLine[] {
  return asked.flatMap((each, index) => {
    const path = `products.${index}`;
    const product = products.get(each.product_id);
    if (product) return [agreedLine(product, each, path, problems)];
    problems.add(`${path}.product_id`, 'validation.not_found');
    return [];
  });
}

/** Finds the sale that was made by an external id. Two round trips, one if there is none. */
async function soldBefore(home: Home, external_id: string): Promise<CreditSale | undefined> {
  const id = holderIn(await getItem(externalKey(home, external_id)));
  const sale: Item | undefined =
    id === undefined ? undefined : await getItem(recordKey(sales.type, home, id));
  return sale && CreditSale.parse({ ...sale, external_id });
}

// As it was sent: unlike names, another system's ids may differ by letter case alone.
function externalKey(home: Home, externalId: string) {
  return nameKey(sales.type, home, 'external_id', externalId);
}
