import { expect, test } from 'vitest';
import { POSTING } from '#lib/cash/posting/record.ts';
import { clientBalancesKey } from '#lib/clients/client-balances.ts';
import { openDebtKey } from '#lib/clients/debt/open.ts';
import { debts } from '#lib/clients/debt/record.ts';
import { parseStored } from '#lib/records/stored.ts';
import { familyTenant, recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { debtPayments } from '#lib/trade/debt-payment/record.ts';
import { plantInTest, violationsOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { lend, newWater, payDebt, refundDebt } from '#tests/support/debts.ts';
import { newShop } from '#tests/support/shop.ts';

/** Creates a shop with a debt of 20, of which 7 were paid, 5 more and refunded, and one of 10. */
async function newBooks() {
  const shop = await newShop();
  const [client, water] = [await addClient(shop), await newWater(shop)];
  await lend(shop, { client, water, amount: 20 });
  await lend(shop, { client, water, amount: 10 });
  const [paid] = await payDebt(shop, client, { cash: 7 });
  const [second] = await payDebt(shop, client, { card: 5 });
  const refunded = await refundDebt(shop, second?.id ?? 0);
  return {
    ...{ tenant: familyTenant(shop.companyId), companyId: shop.companyId, client },
    ...{ debt: paid?.debt_id ?? 0, paidBy: paid?.transfer_id ?? 0 },
    ...{ refunded: refunded.number('id'), refundedBy: refunded.number('refund_transfer_id') },
  };
}

async function openKeyOf(tenant: Tenant, id: number) {
  return openDebtKey(tenant, parseStored(debts.schema, await getItem(recordKey(debts.type, tenant, id))));
}

/** Goods of test support have no goods receipt. */
const books = await newBooks();

test('books with debts that are paid and refunded add up', async () => {
  expect(await violationsOf(books.companyId)).toEqual([]);
});

type Books = Awaited<ReturnType<typeof newBooks>>;

const DAMAGE: readonly [string, (books: Books) => string, (books: Books) => Promise<void>][] = [
  [
    'a debt that says it is repaid by more than was paid',
    () => 'debt payments: says that 100 more is repaid than its payments come to',
    ({ tenant, debt }) => plantInTest(recordKey(debts.type, tenant, debt), { repaid_amount: 800 }),
  ],
  [
    'a refunded payment that calls itself paid',
    () => 'debt payments: is refunded without a posting',
    ({ tenant, refunded }) =>
      plantInTest(recordKey(debtPayments.type, tenant, refunded), { is_refunded: false }),
  ],
  [
    'a payment of another sum than its transfer',
    ({ paidBy }) => `debt payments: its income is not what posting ${paidBy} says: {`,
    ({ tenant, paidBy }) => plantInTest(recordKey(POSTING, tenant, paidBy), { amount: 1 }),
  ],
  [
    'a refund by another way than its transfer',
    ({ refundedBy }) => `debt payments: its outcome is not what posting ${refundedBy} says: {`,
    ({ tenant, refundedBy }) => plantInTest(recordKey(POSTING, tenant, refundedBy), { payment_type: 'cash' }),
  ],
  [
    'an open debt of another sum than its debt',
    ({ debt }) => `debts: has an open debt that is not that of debt ${debt}`,
    async ({ tenant, debt }) => plantInTest(await openKeyOf(tenant, debt), { remaining_amount: 1 }),
  ],
  [
    'an open debt of none that is left',
    () => 'debts: has an open debt that is 1, of no debt that is left',
    async ({ tenant, debt }) =>
      plantInTest(
        { ...(await openKeyOf(tenant, debt)), sk: '1' },
        { id: 7, company_id: 7, remaining_amount: 1 },
      ),
  ],
  [
    'a client who paid last at another time',
    () => 'clients: paid last at 1, by the payments at',
    ({ tenant, client }) => plantInTest(clientBalancesKey(tenant, client), { debt_paid_at: 1 }),
  ],
  [
    'a limit that is not that of the card',
    () => 'clients: may owe 1 uzs, by its card null',
    ({ tenant, client }) => plantInTest(clientBalancesKey(tenant, client), { debt_limit_uzs: 1 }),
  ],
];

test.each(DAMAGE)('%s is found', async (_, said, damage) => {
  await damage(books);
  expect(await violationsOf(books.companyId)).toContainEqual(expect.stringContaining(said(books)));
});
