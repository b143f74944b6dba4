import { expect, test } from 'vitest';
import type { Reply } from '#bin/cli/person.ts';
import { translate } from '#lib/values/message.ts';
import { faultsOf } from '#tests/support/books.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { back, linesOfSale, sellFor, sendReturn } from '#tests/support/returns.ts';
import { beginShift, endShift, newShiftShop, SHIFTS, tryToClose, tryToOpen } from '#tests/support/shifts.ts';
import { newGoods, sellOne } from '#tests/support/shop.ts';

const WATER = [{ quantity: 1000, cost: 1 }];

const CASH = { payment_type: 'cash', currency: 'uzs' } as const;

/** Errors of a call after the close of its shift. */
const TOO_LATE = (['shift.required', 'shift.not_open', 'operation.shift_closed'] as const).map((key) =>
  translate('ru', { key }),
);

/** Creates a shop with an open shift in which ten sales of one piece were made. */
async function newBusyShop() {
  const shop = await newShiftShop();
  const product = await newGoods(shop, WATER, { sale_price: 100 });
  const shift = await beginShift(shop, { opening_balances: [{ ...CASH, amount: 5000 }] });
  const cheques: { id: number; line: number }[] = [];
  for (let count = 0; count < 4; count++) {
    const products = [{ product_id: product, sold_quantity: 1 }];
    const transactions = [{ payment_type: 'cash', amount: 100 }];
    const id = await sellFor(shop, { products, transactions });
    const [line] = await linesOfSale(shop, id);
    cheques.push({ id, line: line?.id ?? 0 });
  }
  const reason = await make(`${SHIFTS}/expense-reasons`, shop.director, { name: 'Такси' });
  return { shop, product, shift, cheques, reason };
}

type Busy = Awaited<ReturnType<typeof newBusyShop>>;

/** Concurrent calls at the desk, and the source of their postings. */
const WORK: readonly [string, string, number, (busy: Busy, index: number) => Promise<Reply>][] = [
  ['sales', 'sale', 4, ({ shop, product }) => sellOne(shop, product, 1, 100)],
  [
    'returns',
    'sale_return',
    0,
    ({ shop, cheques }, index) => {
      const { id = 0, line = 0 } = cheques[index] ?? {};
      return sendReturn(shop, id, back({ [line]: 1 }, 100));
    },
  ],
  [
    'expenses',
    'reason',
    0,
    ({ shop, shift, reason }) => {
      const json = { ...CASH, amount: 7, reason_id: reason };
      return call(`POST ${SHIFTS}/${shift}/expense`, { token: shop.director, json });
    },
  ],
];

test.each(WORK)(
  '%s that race a close are in the shift or refused, never between',
  async (_, source, before, work) => {
    const busy = await newBusyShop();
    const { shop, shift } = busy;
    const working = [0, 1, 2, 3].map((index) => work(busy, index));
    const [closed, ...replies] = await Promise.all([tryToClose(shop, shift), ...working]);
    expect(closed).toMatchObject({ status: 200, body: { status: 'closed' } });
    for (const { status, body } of replies) {
      if (status !== 200)
        expect({ status, told: TOO_LATE.includes(Object(body).message) }).toEqual({
          status: 400,
          told: true,
        });
    }
    const done = replies.filter(({ status }) => status === 200).length;
    const { transactions } = Object(closed.body).summary;
    const counted = transactions.find(({ source_type }: { source_type: string }) => source_type === source);
    expect(counted?.count ?? 0).toBe(before + done);
    expect(await faultsOf(shop)).toEqual([]);
  },
);

test('a shift that is closed by two at once is closed once', async () => {
  const { shop, shift } = await newBusyShop();
  const counts = [5300, 5200].map((amount) => ({ actuals: [{ ...CASH, amount }], closing_comment: 'Нет' }));
  const replies = await Promise.all(counts.map((given) => tryToClose(shop, shift, given)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  const refused = replies.find(({ status }) => status === 400);
  expect(refused?.body).toMatchObject({ message: translate('ru', { key: 'shift.not_open' }) });
  expect(await faultsOf(shop)).toEqual([]);
});

test('sales that race an opening are in the shift or refused', async () => {
  const shop = await newShiftShop();
  const product = await newGoods(shop, WATER, { sale_price: 100 });
  const selling = [1, 2, 3].map(() => sellOne(shop, product, 1, 100));
  const [opened, ...replies] = await Promise.all([tryToOpen(shop), ...selling]);
  const done = replies.filter(({ status }) => status === 200).length;
  expect(opened.status).toBe(200);
  expect(await endShift(shop, opened.number('id'))).toMatchObject({ summary: { checks_count: done } });
  expect(await faultsOf(shop)).toEqual([]);
});

test('a shift that is closed where shifts are not enabled any more still ends', async () => {
  const shop = await newShiftShop();
  const product = await newGoods(shop, WATER, { sale_price: 100 });
  const shift = await beginShift(shop);
  const json = { cashbox_shift_settings: { is_enabled: false } };
  await call('PUT /company/company/settings', { token: shop.director, json });
  await sellOne(shop, product, 1, 100);
  expect(await endShift(shop, shift)).toMatchObject({ summary: { checks_count: 1 } });
  expect((await sellOne(shop, product, 1, 100)).status).toBe(200);
});
