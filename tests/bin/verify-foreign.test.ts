import { expect, test } from 'vitest';
import type { Item } from '#lib/table/client.ts';
import { familyTenant, partition, recordKey } from '#lib/table/keys.ts';
import { sales } from '#lib/trade/sale/record.ts';
import { returnPackKey, SALE_RETURN } from '#lib/trade/sale/returns-of.ts';
import { faultsOf, plantInTest } from '#tests/support/books.ts';
import { inCash, trySelling } from '#tests/support/foreign.ts';
import { linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { newGoods, newShop, setRate } from '#tests/support/shop.ts';

/** Creates a shop that sold for sums, then for three dollars with change, of which one went back. */
async function newBooks() {
  const shop = await newShop();
  await setRate(shop, 'usd', 12_500);
  const id = await newGoods(shop, [{ quantity: 100, cost: 1000 }]);
  const plain = await trySelling(shop, [id, 20], [inCash(100_000)]);
  const sold = await trySelling(shop, [id, 5], [inCash(3, 'usd')]);
  const sale = sold.number('id');
  const [line] = await linesOfSale(shop, sale);
  const products = [{ id: line?.id, returned_quantity: 3, reason_type: 'defective' }];
  const json = { products, transactions: [inCash(1, 'usd'), inCash(2500)] };
  expect((await sendReturn(shop, sale, json)).status).toBe(200);
  return { shop, sale, plain: plain.number('id'), posting: sold.number('transactions.0.transfer_id') };
}

type Books = Awaited<ReturnType<typeof newBooks>>;

const PAID = { payment_type: 'cash', amount: 300, currency: 'usd', counted_amount: 3_750_000, debt_id: null };

const FAULTS: readonly [string, (books: Books) => string, (books: Books) => Promise<void>][] = [
  [
    'change that its posting does not tell of',
    ({ posting }) => `gives another change than posting ${posting + 1} says`,
    (books) => plantSale(books, 'sale', { change_amount: 1_249_900 }),
  ],
  [
    'a payment that counts for something else than its rates say',
    () => 'counts 3750001 for 300 of cash usd, its rates 3750000',
    (books) => plantSale(books, 'sale', { transactions: [paidFor(books, { counted_amount: 3_750_001 })] }),
  ],
  [
    'kept rates by which payments come to something else',
    () => 'counts 3750000 for 300 of cash usd, its rates 3900000',
    (books) =>
      plantSale(books, 'sale', {
        payment_rates: { uzs: 100, usd: 1_300_000, eur: 1, rub: 1 },
      }),
  ],
  [
    'two payments in one kind of money',
    () => 'is paid twice in one kind of money',
    (books) => plantSale(books, 'sale', { transactions: [paidFor(books), paidFor(books)] }),
  ],
  [
    'a card with dollars on it',
    () => 'is paid in another currency, and not in cash',
    (books) => plantSale(books, 'sale', { transactions: [paidFor(books, { payment_type: 'card' })] }),
  ],
  [
    'change of a cheque that was paid in its own currency',
    () => 'gives change that may not be given',
    (books) => plantSale(books, 'plain', { change_amount: 100 }),
  ],
  [
    'more dollars back than came',
    () => 'has paid 100 usd back, of 50 that came',
    (books) =>
      plantSale(books, 'sale', { transactions: [paidFor(books, { amount: 50, counted_amount: 625_000 })] }),
  ],
  [
    'dollars back that count for something else than the rates say',
    () => 'counts 1250001 for 100 usd back, its rates 1250000',
    ({ shop, sale }) => {
      const tenant = familyTenant(shop.companyId);
      const key = returnPackKey(partition(SALE_RETURN, tenant), { id: 1, sale_id: sale }, 0);
      const dollar = { ...PAID, payment_type_id: 1, amount: 100, counted_amount: 1_250_001, transfer_id: 1 };
      return plantInTest(key, { transactions: [dollar] });
    },
  ],
];

function paidFor({ posting }: Books, given: Item = {}): Item {
  return { ...PAID, transfer_id: posting, ...given };
}

function plantSale(books: Books, which: 'sale' | 'plain', change: Item): Promise<void> {
  return plantInTest(recordKey(sales.type, familyTenant(books.shop.companyId), books[which]), change);
}

const books = await newBooks();

test('foreign cash, its change and what went back of it add up', async () => {
  expect(await faultsOf(books.shop)).toEqual([]);
});

test.each(FAULTS)('%s: found', async (_, said, damage) => {
  await damage(books);
  expect(await faultsOf(books.shop)).toContainEqual(expect.stringContaining(said(books)));
});
