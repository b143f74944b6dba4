import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { readBooksOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { lend, newWater, openDebtsIn, paying, refundDebt } from '#tests/support/debts.ts';
import { call } from '#tests/support/http.ts';
import { linesOfSale } from '#tests/support/returns.ts';
import { addMoney, cashInDesk, newShop, type Shop } from '#tests/support/shop.ts';

/** Extra money in the desk, so that no refund is refused for lack of it. */
const FLOAT = 1_000_000;

const DEBTS = '/company/client/debt';

const Refused = z.object({ errors: z.object({ transactions: z.array(z.string()).min(1) }) });
const Exchanged = z.object({ exchange_sale: z.object({ id: z.int() }) });

/** Draws numbers that look random, and are the same for a seed. */
function randomly(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

/** Sends a body again with the cash payment required by the first response. */
async function paidAsTold(send: (json: object) => Promise<Reply>, json: object): Promise<Reply> {
  const first = await send({ ...json, transactions: [] });
  const refused = Refused.safeParse(first.body).data;
  if (!refused) return first;
  const due = Number(/([\d.]+)\.$/.exec(refused.errors.transactions[0] ?? '')?.[1]);
  return send({ ...json, transactions: [{ payment_type: 'cash', amount: due }] });
}

/** Returns pieces of a sale's one line, or exchanges them; returns the new sale's id. */
async function takeBack({ director: token, ...shop }: Shop, id: number, part: number, exchanged?: object) {
  const [line] = await linesOfSale({ director: token, ...shop }, id);
  const left = (line?.sold_quantity ?? 0) - (line?.returned_quantity ?? 0);
  if (left === 0) return undefined;
  const lines = [{ id: line?.id, reason_type: 'not_match', returned_quantity: Math.ceil(left * part) }];
  const { companyId: company_id, cashboxId: cashbox_id, stockId: stock_id } = shop;
  const place = { company_id, cashbox_id, stock_id, currency: 'uzs' };
  const json = exchanged ? { ...place, ...exchanged, returned_products: lines } : { products: lines };
  const path = `/company/trade/sale/${id}`;
  const request = exchanged ? `POST ${path}/exchange` : `PATCH ${path}/return`;
  const reply = await paidAsTold((body) => call(request, { token, json: body }), json);
  expect(reply).toMatchObject({ status: 200 });
  return Exchanged.safeParse(reply.body).data?.exchange_sale.id;
}

/** Expects balanced books, except goods and money that test support created without a document. */
async function expectBooks({ companyId }: Shop): Promise<void> {
  const { violations, counts } = await readBooksOf(companyId);
  const own = violations.filter(({ book }) => book !== 'desks');
  expect(own.map(({ subject, what }) => `${subject}: ${what}`)).toEqual([]);
  expect(counts.get('debts without an open debt')).toBeUndefined();
}

test.each([1, 2, 3])(
  'after a random day of debts the books are right, and when all is back nothing is owed: %i',
  async (seed) => {
    const random = randomly(seed);
    const shop = await newShop();
    const { director: token } = shop;
    const clients = [await addClient(shop), await addClient(shop, '998905550011')];
    const water = await newWater(shop);
    await addMoney(shop, { cash_uzs: FLOAT * 100 });
    const one = () => clients[random(2)] ?? 0;
    const cheques = [await lend(shop, { client: one(), water, amount: 100, cash: 20 })];
    const some = () => cheques[random(cheques.length)] ?? 0;
    const part = () => (1 + random(10)) / 10;
    let [payments, writeOffs] = [1, 0];
    const steps = [
      async () => {
        const given = { client: one(), water, amount: 10 + random(90), cash: random(10) };
        cheques.push(await lend(shop, given));
      },
      async () => {
        const json = paying(shop, one(), { cash: 1 + random(40) });
        const { status } = await call('POST /company/client/debt-payment', { token, json });
        if (status === 200) payments += 1;
      },
      async () => {
        await refundDebt(shop, 1 + random(payments));
      },
      async () => {
        const json = { amount: 1 + random(60), comment: 'x' };
        const { status } = await call(`PATCH ${DEBTS}/${1 + random(cheques.length)}/write-off`, {
          token,
          json,
        });
        if (status === 200) writeOffs += 1;
      },
      async () => {
        const json = { comment: 'x' };
        const path = `${DEBTS}-writeoff/${1 + random(writeOffs + 1)}/reverse`;
        if ((await call(`POST ${path}`, { token, json })).status === 200) writeOffs += 1;
      },
      async () => {
        const json = { due_date: `2099-0${1 + random(9)}-01` };
        await call(`PATCH ${DEBTS}/${1 + random(cheques.length)}/due-date`, { token, json });
      },
      async () => {
        await takeBack(shop, some(), part());
      },
      async () => {
        const products = [{ product_id: water, sold_quantity: 1 + random(60) }];
        const given = { products, client_id: one(), due_date: '2099-01-31' };
        const made = await takeBack(shop, some(), part(), given);
        if (made !== undefined) cheques.push(made);
      },
    ];
    for (let step = 0; step < 30; step++) await steps[random(steps.length)]?.();
    await expectBooks(shop);
    for (const id of cheques.toReversed()) await takeBack(shop, id, 1);
    await expectBooks(shop);
    expect(await Promise.all(clients.map((client) => openDebtsIn(shop, client)))).toEqual([[], []]);
    expect(await cashInDesk(shop)).toBe(FLOAT);
  },
);
