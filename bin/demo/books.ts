import * as z from 'zod';
import type { Client } from './client.ts';

const Shelves = z.object({
  data: z.array(z.object({ id: z.int(), quantity: z.number(), product: z.object({ name: z.string() }) })),
});

const Movements = z.object({ data: z.array(z.object({ document_type: z.string(), quantity: z.number() })) });

/** Lists what is on the shelves, beside the sum of what came and went. Throws if they differ. */
export async function shelvesOf(client: Client): Promise<object[]> {
  const { data } = Shelves.parse((await client('GET /company/stock/product?sort[]=id&with[]=product')).body);
  return Promise.all(
    data.map(async ({ id, quantity, product }) => {
      const movements = Movements.parse(
        (await client(`GET /company/stock/product/${id}/movements`)).body,
      ).data;
      const came = sumOf(movements.filter((movement) => movement.quantity > 0));
      const went = sumOf(movements.filter((movement) => movement.quantity < 0));
      if (rounded(came + went) !== quantity) throw new Error(`The movements of ${product.name} don't add up`);
      return { product: product.name, came, went, 'on the shelf': quantity };
    }),
  );
}

const Desk = z.object({ balances: z.record(z.string(), z.object({ uzs: z.number() })) });

const Sales = z.object({
  data: z.array(
    z.object({
      code: z.string(),
      transactions: z.array(z.object({ payment_type: z.string(), amount: z.number() })),
    }),
  ),
});

/** Sums what was paid by cheques, by way of paying, beside what the desk holds. Throws if they differ. */
export async function transfersOf(client: Client, cashboxId: number): Promise<object[]> {
  const { balances } = Desk.parse((await client(`GET /company/cashbox/cashbox/${cashboxId}`)).body);
  const { data } = Sales.parse(
    (await client(`GET /company/trade/sale?filter[cashbox_id]=${cashboxId}`)).body,
  );
  const payments = data.flatMap(({ transactions }) => transactions);
  return ['cash', 'card', 'bank', 'debt'].map((type) => {
    const paid = payments
      .filter(({ payment_type }) => payment_type === type)
      .reduce((sum, { amount }) => sum + amount, 0);
    const held = balances[type]?.uzs;
    if (held !== undefined && held !== paid) throw new Error(`The payments by ${type} don't add up`);
    return { 'paid by': type, 'by cheques': paid, 'in the desk': held ?? 'owed' };
  });
}

function sumOf(movements: readonly { readonly quantity: number }[]): number {
  return rounded(movements.reduce((sum, { quantity }) => sum + quantity, 0));
}

function rounded(quantity: number): number {
  return Math.round(quantity * 1e8) / 1e8;
}
