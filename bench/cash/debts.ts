import type { MeasuredShop } from '#bench/support/measured-shop.ts';
import { type Scene, scenesOf } from '#bench/support/scene.ts';
import { PRICE, saleBodyOf } from '#bench/support/shop.ts';

/** Returns a scene that pays this many debts of a client at once. */
export async function debtScenes({ client, shop }: MeasuredShop, count: number): Promise<Scene[]> {
  const [cashbox_id = 0] = shop.desks;
  const person = { full_name: 'Bench', main_phone: `998${900_000_000 + count}` };
  const client_id = await client.make('/company/client/client', person);
  const debt = { client_id, due_date: '2099-01-31', transactions: [{ payment_type: 'debt', amount: PRICE }] };
  const sale = { ...saleBodyOf(shop, cashbox_id, shop.products), ...debt };
  const payments = [{ payment_type: 'cash', amount: PRICE * count }];
  const often = { warm: 3, times: Math.max(5, Math.round(40 / count)) };
  return scenesOf(often, {
    [`payment of ${count} debts`]: async () => {
      for (let each = 0; each < count; each++) await client.make('/company/trade/sale', sale);
      const json = { client_id, cashbox_id, payments };
      return { request: 'POST /company/client/debt-payment', json };
    },
  });
}
