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

const Payments = z.array(z.object({ payment_type: z.string(), amount: z.number() }));

const Sales = z.object({ data: z.array(z.object({ id: z.int(), transactions: Payments })) });

const Card = z.object({
  returns: z.array(z.object({ transactions: Payments, debt_amount: z.number() })),
});

const Debts = z.object({ data: z.array(z.object({ remaining_amount: z.number() })) });

const Repaid = z.object({
  data: z.array(z.object({ payment_type: z.string(), amount: z.number(), is_refunded: z.boolean() })),
});

const Operations = z.object({
  data: z.array(z.object({ payment_type: z.string(), type: z.string(), amount: z.number() })),
});

/**
 * Sums what was paid by cheques and of debts, given back by returns, and spent and collected by hand or in
 * shifts, by way of paying, beside what the desk holds and what is still owed. Throws if they differ.
 */
export async function transfersOf(client: Client, cashboxId: number): Promise<object[]> {
  const { balances } = Desk.parse((await client(`GET /company/cashbox/cashbox/${cashboxId}`)).body);
  const { data } = Sales.parse(
    (await client(`GET /company/trade/sale?filter[cashbox_id]=${cashboxId}`)).body,
  );
  const cards = await Promise.all(
    data.map(async ({ id }) => Card.parse((await client(`GET /company/trade/sale/${id}/check-detail`)).body)),
  );
  const debts = Debts.parse((await client('GET /company/client/debt')).body).data;
  const moved = [
    ...(await spentOf(client, `operation?filter[cashbox_id]=${cashboxId}`)),
    ...(await spentOf(client, `cashbox/${cashboxId}/transfers?filter[source_type]=shift`)),
  ];
  const owed = debts.reduce((sum, { remaining_amount }) => sum + remaining_amount, 0);
  const payments = data.flatMap(({ transactions }) => transactions);
  const payouts = cards.flatMap(({ returns }) =>
    returns.flatMap(({ transactions, debt_amount: amount }) => [
      ...transactions,
      { payment_type: 'debt', amount },
    ]),
  );
  const repaid = await repaidOf(client);
  return ['cash', 'card', 'bank', 'debt'].map((type) => {
    const [paid, back, spent] = [paidBy(type, payments), paidBy(type, payouts), paidBy(type, moved)];
    const ofDebts = paidBy(type, repaid);
    const left = balances[type]?.uzs ?? owed;
    if (paid + ofDebts - back - spent !== left) throw new Error(`The payments by ${type} don't add up`);
    const came = { 'by cheques': paid, 'of debts': ofDebts };
    const columns = { ...came, 'given back': back, 'spent and collected': spent };
    return { 'paid by': type, ...columns, 'in the desk, or owed': left };
  });
}

/** Lists movements at desks: what went out, and below zero what came in. */
async function spentOf(client: Client, list: string): Promise<z.output<typeof Payments>> {
  const { data } = Operations.parse((await client(`GET /company/cashbox/${list}`)).body);
  return data.map(({ type, amount, ...kind }) => ({
    ...kind,
    amount: type === 'outcome' ? amount : -amount,
  }));
}

/** Lists what was paid of debts and not refunded, and by how much they became less. */
async function repaidOf(client: Client): Promise<z.output<typeof Payments>> {
  const { data } = Repaid.parse((await client('GET /company/client/debt-payment')).body);
  return data
    .filter(({ is_refunded }) => !is_refunded)
    .flatMap(({ payment_type, amount }) => [
      { payment_type, amount },
      { payment_type: 'debt', amount: -amount },
    ]);
}

function paidBy(type: string, payments: z.output<typeof Payments>): number {
  return payments
    .filter(({ payment_type }) => payment_type === type)
    .reduce((sum, { amount }) => sum + amount, 0);
}

function sumOf(movements: readonly { readonly quantity: number }[]): number {
  return rounded(movements.reduce((sum, { quantity }) => sum + quantity, 0));
}

function rounded(quantity: number): number {
  return Math.round(quantity * 1e8) / 1e8;
}
