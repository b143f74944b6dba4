import { expect, test } from 'vitest';
import { tariffKey } from '#lib/auth/workplace.ts';
import { entryKey } from '#lib/billing/entry.ts';
import { paymentKey } from '#lib/billing/payment/record.ts';
import { depositTo, newSubscriber, notify, startByQr, untilStatus } from '#tests/support/billing.ts';
import { plantInTest, violationsOf } from '#tests/support/books.ts';

/** Creates a family that was charged a month, paid 1000 by QR, and got 500 by hand. */
async function newBooks() {
  const { companyId, director: token } = await newSubscriber();
  const { external_id } = await startByQr(token);
  await notify({ external_id, amount: 1000 });
  await untilStatus(token, external_id, 'paid');
  await depositTo(companyId, 500);
  return { companyId, payment: paymentKey(companyId, external_id), external_id };
}

const books = await newBooks();

test('a tariff that is charged and paid adds up', async () => {
  expect(await violationsOf(books.companyId)).toEqual([]);
});

type Books = Awaited<ReturnType<typeof newBooks>>;

const DAMAGE: readonly [string, string, (books: Books) => Promise<void>][] = [
  [
    'a tariff with another balance than its entries leave',
    'tariff: is the last, and leaves -9850000, not 1',
    ({ companyId }) => plantInTest(tariffKey(companyId), { balance: 1 }),
  ],
  [
    'an entry that leaves another balance',
    'tariff: leaves 7 of -9900000',
    ({ companyId }) => plantInTest(entryKey(companyId, 3), { balance: 7 }),
  ],
  [
    'a charge of more than its lines',
    'tariff: charges 10000000 for 0',
    ({ companyId }) => plantInTest(entryKey(companyId, 1), { lines: [] }),
  ],
  [
    'a payment that is credited and has failed',
    'tariff payments: is failed with 100000, and credited 100000',
    ({ payment }) => plantInTest(payment, { status: 'failed' }),
  ],
  [
    'an entry of a payment that nobody made',
    'tariff payments: is credited, and not there',
    ({ companyId }) => plantInTest(entryKey(companyId, 2), { external_id: `${companyId}-none` }),
  ],
];

test.each(DAMAGE)('%s is found', async (_, said, damage) => {
  await damage(books);
  expect(await violationsOf(books.companyId)).toContain(said);
});
