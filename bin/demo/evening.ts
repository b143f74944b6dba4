import * as z from 'zod';
import { type Client, expectReply, make } from './client.ts';
import { type Story, spaced } from './story.ts';

const FARE = 20_000;
const REPAID = 30_000;
const COLLECTED = 50_000;

/** Pays for the delivery out of the desk. */
export async function payForDelivery({ director, cashier, cashbox_id, say }: Story): Promise<void> {
  const item = { type: 'outcome', name: 'Yetkazib berish' };
  const reason_id = await make(director, '/company/cashbox/reason', item);
  const money = { payment_type: 'cash', currency: 'uzs', amount: FARE };
  await make(cashier, '/company/cashbox/operation', { cashbox_id, type: 'outcome', ...money, reason_id });
  say(`\nIn the evening the cashier pays the driver ${spaced(FARE)} out of the desk.`);
}

const Payments = z.object({
  data: z.array(z.object({ id: z.int(), debt: z.object({ remaining_amount: z.number() }) })),
});

/** Takes a part of what a client owes: by card first, which is refunded, then in cash. */
export async function repayDebt({ cashier, cashbox_id, say }: Story, client_id: number): Promise<void> {
  const payments = '/company/client/debt-payment';
  const payBy = async (payment_type: string) => {
    const json = { client_id, cashbox_id, payments: [{ payment_type, amount: REPAID }] };
    const { data } = Payments.parse((await expectReply(200, cashier(`POST ${payments}`, json))).body);
    return { id: data[0]?.id, left: data[0]?.debt.remaining_amount ?? 0 };
  };
  const { id } = await payBy('card');
  await expectReply(200, cashier(`POST ${payments}/${id}/refund`));
  const { left } = await payBy('cash');
  say(
    `Aziza pays ${spaced(REPAID)} of her debt by card, has it refunded, and pays them in cash: ` +
      `she owes ${spaced(left)} now.`,
  );
}

/** Brings cash to the main desk, where the director confirms it. */
export async function collectCash(shop: Story): Promise<void> {
  const { director, cashier, cashbox_id, say } = shop;
  const items = [{ payment_type: 'cash', currency: 'uzs', amount: COLLECTED }];
  const collections = '/company/cashbox/operation/collection';
  const id = await make(cashier, collections, { cashbox_id, items });
  const refused = await expectReply(403, cashier(`PATCH ${collections}/${id}/confirm`));
  say(
    `${spaced(COLLECTED)} are on their way to the main desk: ` +
      `the cashier can't confirm them there, ${JSON.stringify(refused.body)}`,
  );
  await expectReply(200, director(`PATCH ${collections}/${id}/confirm`));
  say(`The director counts and confirms them; the main desk has ${spaced(await mainCash(director))}.`);
}

const Desks = z.object({
  data: z.array(z.object({ balances: z.object({ cash: z.object({ uzs: z.number() }) }) })),
});

async function mainCash(client: Client): Promise<number> {
  const { data } = Desks.parse((await client('GET /company/cashbox/cashbox?filter[type]=main')).body);
  return data.reduce((sum, { balances }) => sum + balances.cash.uzs, 0);
}
