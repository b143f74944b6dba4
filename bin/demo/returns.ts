import * as z from 'zod';
import { type Client, expectReply } from './client.ts';
import { type Story, spaced } from './story.ts';

const Cheque = z.object({ products: z.array(z.object({ id: z.int(), product_id: z.int() })) });

const Returned = z.object({ code: z.string(), returned_amount: z.number() });

/** Takes two bottles of a cheque back, which is owed in part: what they cost closes a part of its debt. */
export async function takeBack({ cashier, say }: Story, sale: number): Promise<void> {
  const products = await bottlesOf(cashier, sale, { returned_quantity: 2, reason_type: 'defective' });
  const reply = await expectReply(200, cashier(`PATCH /company/trade/sale/${sale}/return`, { products }));
  const { code, returned_amount } = Returned.parse(reply.body);
  say(`\nAziza brings two bottles of cheque ${code} back: she owes ${spaced(returned_amount)} less.`);
}

const Exchanged = z.object({
  original_sale: z.object({ code: z.string() }),
  exchange_sale: z.object({ code: z.string(), sold_amount: z.number() }),
});

/** Takes a bottle of a cheque back for 100 grams of tea at 66 000; the difference is paid in cash. */
export async function exchangeBottle(story: Story, sale: number): Promise<void> {
  const { companyId: company_id, cashier, stock_id, cashbox_id, say } = story;
  const returned_products = await bottlesOf(cashier, sale, {
    returned_quantity: 1,
    reason_type: 'not_match',
  });
  const reply = await expectReply(
    200,
    cashier(`POST /company/trade/sale/${sale}/exchange`, {
      ...{ company_id, stock_id, cashbox_id, currency: 'uzs', returned_products },
      products: [{ product_id: 2, sold_quantity: 0.1 }],
      transactions: [{ payment_type: 'cash', amount: 2600 }],
    }),
  );
  const { original_sale, exchange_sale } = Exchanged.parse(reply.body);
  say(
    `A bottle of cheque ${original_sale.code} is exchanged for 100 grams of tea: cheque ${exchange_sale.code} ` +
      `of ${spaced(exchange_sale.sold_amount)}, of which 2 600 are paid in cash.`,
  );
}

async function bottlesOf(cashier: Client, sale: number, how: object): Promise<object[]> {
  const { products } = Cheque.parse((await cashier(`GET /company/trade/sale/${sale}`)).body);
  return products.filter(({ product_id }) => product_id === 1).map(({ id }) => ({ id, ...how }));
}
