import * as z from 'zod';
import { expectReply, make } from './client.ts';
import { type Story, spaced } from './story.ts';

const WATER = 1;
const TEA = 2;

const Hold = z.object({ id: z.int(), amount: z.number() });

/** Sets goods aside, and sells them to who asked for them. */
export async function setAside({ cashier, stock_id, cashbox_id, say }: Story): Promise<void> {
  const goods = { cheque: 1, products: [{ product_id: WATER, quantity: 10 }] };
  const hold = await expectReply(
    200,
    cashier('POST /company/trade/hold', { cashbox_id, stock_id, full_name: 'Jasur', ...goods }),
  );
  const { id: hold_id, amount } = Hold.parse(hold.body);
  say(
    `\nJasur calls: ten bottles are set aside for him. They leave the shelf at once, and are still the shop's.`,
  );

  const transactions = [{ payment_type: 'cash', amount }];
  const sale = { cashbox_id, stock_id, currency: 'uzs', hold_id, transactions };
  await expectReply(200, cashier('POST /company/trade/sale', sale));
  say(`He comes and pays ${spaced(amount)} in cash, which closes the hold.`);
}

const Rows = z.object({
  data: z.array(z.object({ id: z.int(), product_id: z.int(), quantity: z.number() })),
});

const Count = z.object({
  quantity_diff_above: z.number(),
  quantity_diff_below: z.number(),
  amounts_diff_above: z.object({ uzs: z.number() }),
  amounts_diff_below: z.object({ uzs: z.number() }),
});

/** Counts the warehouse: a bottle is missing, and there is more tea than the books say. */
export async function countGoods(shop: Story): Promise<void> {
  const { director, cashier, stock_id, cashbox_id, say } = shop;
  const inventory = await make(director, '/company/trade/inventory', { stock_id, type: 'full' });
  const products = [{ product_id: WATER, sold_quantity: 1 }];
  const transactions = [{ payment_type: 'cash', amount: 4000 }];
  const sale = { cashbox_id, stock_id, currency: 'uzs', products, transactions };
  const refused = await expectReply(400, cashier('POST /company/trade/sale', sale));
  say(`The director counts the warehouse. Nothing is sold meanwhile: ${JSON.stringify(refused.body)}`);

  const { data } = Rows.parse(
    (await director(`GET /company/stock/product?filter[stock_id]=${stock_id}`)).body,
  );
  const products_tmp = data.map(({ id, product_id, quantity }) => ({
    stock_product_id: id,
    actual_quantity: product_id === TEA ? quantity + 0.25 : quantity - 1,
  }));
  const count = `/company/trade/inventory/${inventory}`;
  await expectReply(200, director(`PATCH ${count}/add-products`, { products_tmp }));
  await expectReply(200, director(`PATCH ${count}/complete`));
  const { quantity_diff_above, quantity_diff_below, amounts_diff_above, amounts_diff_below } = Count.parse(
    (await director(`GET ${count}`)).body,
  );
  say(
    `${quantity_diff_above} kilos of tea more than in the books became a receipt of ` +
      `${spaced(amounts_diff_above.uzs)}, ${quantity_diff_below} bottle less a write-off of ` +
      `${spaced(amounts_diff_below.uzs)}; now the books are what is on the shelves.`,
  );
}

const Card = z.object({ sale_price: z.number() });

/** Gives the tea a new price. */
export async function raisePrice({ companyId, director, say }: Story): Promise<void> {
  const products = [{ product_id: TEA, sale_price: 66_000, sale_currency: 'uzs' }];
  await make(director, '/company/trade/recalculation-batch', { company_id: companyId, products });
  const { sale_price } = Card.parse((await director(`GET /company/product/product/${TEA}`)).body);
  say(`Tea has become dearer: from now on a kilo is sold at ${spaced(sale_price)},`);
}
