import type { MeasuredShop } from '#bench/kit/measured-shop.ts';
import type { Scene } from '#bench/kit/scene.ts';
import { chequeOf } from '#bench/kit/shop.ts';

const PRICE = 5000;

/** Pays all debts of a client at once, so many. */
export async function debtScenes({ client, shop }: MeasuredShop, count: number): Promise<Scene[]> {
  const [cashbox_id = 0] = shop.desks;
  const client_id = await client.make('/company/client/client', {
    full_name: 'Bench',
    main_phone: `998${900_000_000 + count}`,
  });
  const cheque = {
    ...chequeOf(shop, cashbox_id, shop.products),
    client_id,
    due_date: '2099-01-31',
    transactions: [{ payment_type: 'debt', amount: PRICE }],
  };
  const payments = [{ payment_type: 'cash', amount: PRICE * count }];
  return [
    {
      what: `payment of ${count} debts`,
      warm: 3,
      times: Math.max(5, Math.round(40 / count)),
      prepare: async () => {
        for (let each = 0; each < count; each++) await client.make('/company/trade/sale', cheque);
        const json = { client_id, cashbox_id, payments };
        return { request: 'POST /company/client/debt-payment', json };
      },
    },
  ];
}
