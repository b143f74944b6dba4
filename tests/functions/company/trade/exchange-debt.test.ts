import { expect, test } from 'vitest';
import type { Reply } from '#bin/cli/person.ts';
import { ClientBalances, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { readBooksOf } from '#tests/support/books.ts';
import { addClient } from '#tests/support/clients.ts';
import { debtOf, lend, newWater, openDebtsIn, payDebt, refundDebt } from '#tests/support/debts.ts';
import { call } from '#tests/support/http.ts';
import { errorWith } from '#tests/support/records.ts';
import { back, linesOfSale, returnsOf, sendReturn } from '#tests/support/returns.ts';
import { cashOf, newShop, type Shop } from '#tests/support/shop.ts';

/** Creates a shop with water at 1 a piece, and a client. */
async function newScene() {
  const shop = await newShop();
  const [client, water] = await Promise.all([addClient(shop), newWater(shop)]);
  return { shop, client, water };
}

type Scene = Awaited<ReturnType<typeof newScene>>;

/** Exchanges pieces of a sale's one line for others, with a payment of the difference. */
async function swap(
  { shop, client, water }: Scene,
  id: number,
  [returned, taken]: readonly [number, number],
  given: object = {},
): Promise<Reply> {
  const { companyId, cashboxId, stockId, director: token } = shop;
  const [line] = await linesOfSale(shop, id);
  const json = {
    ...{ cashbox_id: cashboxId, stock_id: stockId, company_id: companyId, currency: 'uzs' },
    ...{ client_id: client, due_date: '2099-01-31' },
    returned_products: [{ id: line?.id, reason_type: 'not_match', returned_quantity: returned }],
    products: [{ product_id: water, sold_quantity: taken }],
    ...given,
  };
  return call(`POST /company/trade/sale/${id}/exchange`, { token, json });
}

/** Returns the id of the sale made by an exchange. */
function newSaleOf(exchanged: Reply): number {
  return exchanged.number('exchange_sale.id');
}

/** Returns pieces of a sale's one line with a cash payout. */
async function returned(shop: Shop, id: number, pieces: number, cash = 0): Promise<number> {
  const [line] = await linesOfSale(shop, id);
  return (await sendReturn(shop, id, back({ [line?.id ?? 0]: pieces }, cash))).status;
}

async function owedBy({ companyId }: Shop, client: number): Promise<number> {
  const sums = ClientBalances.parse(await getItem(clientBalancesKey(familyTenant(companyId), client)));
  return sums.debt_uzs / 100;
}

/** Returns violations in a shop's books; test support creates goods without a goods receipt. */
async function faultsOf({ companyId }: Shop): Promise<string[]> {
  const { violations } = await readBooksOf(companyId);
  return violations.map(({ subject, what }) => `${subject}: ${what}`);
}

test('the value of goods that were exchanged evenly closes the debt they were bought with', async () => {
  const scene = await newScene();
  const { shop, client, water } = scene;
  const sale_id = await lend(shop, { client, water, amount: 10_000, cash: 2000 });
  const exchanged = await swap(scene, sale_id, [5000, 5000]);
  expect(exchanged.body).toMatchObject({
    exchange_sale: { received_amount: 2000, origins: [{ sale_id, client_id: client }] },
  });
  const second = newSaleOf(exchanged);
  const debt = exchanged.number('exchange_sale.origins.0.debt_id');
  expect(await returned(shop, second, 5000)).toBe(200);
  expect(await debtOf(shop, debt)).toMatchObject({ returned_amount: 5000, remaining_amount: 3000 });
  expect(await returnsOf(shop, second)).toMatchObject([
    { debt_amount: 0, origins: [{ sale_id, debt_amount: 500_000, money_amount: 200_000 }] },
  ]);
  expect([await owedBy(shop, client), await cashOf(shop)]).toEqual([3000, 2000]);
  // Money that went back to the first sale is paid out with its own goods.
  expect(await returned(shop, sale_id, 5000)).toBe(422);
  expect(await returned(shop, sale_id, 5000, 2000)).toBe(200);
  expect([await owedBy(shop, client), await cashOf(shop)]).toEqual([0, 0]);
  expect(await openDebtsIn(shop, client)).toEqual([]);
  expect(await faultsOf(shop)).toEqual([]);
});

test('along a chain of exchanges the nearest debt is closed first, of any client', async () => {
  const scene = await newScene();
  const { shop, client, water } = scene;
  const other = await addClient(shop, '998905550011');
  const first = await lend(shop, { client, water, amount: 1000 });
  const debt = (amount: number) => ({ transactions: [{ payment_type: 'debt', amount }] });
  const second = newSaleOf(await swap(scene, first, [1000, 1300], { ...debt(300), client_id: other }));
  const third = newSaleOf(await swap(scene, second, [1300, 1300], { client_id: null }));
  expect([await owedBy(shop, client), await owedBy(shop, other)]).toEqual([1000, 300]);
  expect(await returned(shop, third, 400)).toBe(200);
  expect([await owedBy(shop, client), await owedBy(shop, other)]).toEqual([900, 0]);
  // A payment made after the exchange is paid out again, though the sale of the goods has no money of its
  // own.
  const [payment] = await payDebt(shop, client, { cash: 250 });
  expect(await returned(shop, third, 900, 250)).toBe(200);
  expect([await owedBy(shop, client), await cashOf(shop)]).toEqual([0, 0]);
  expect(await refundDebt(shop, payment?.id ?? 0)).toMatchObject(errorWith('debt_payment.paid_out'));
  expect(await faultsOf(shop)).toEqual([]);
});

test('an exchange for less closes those debts too, and only then pays out', async () => {
  const scene = await newScene();
  const { shop, client, water } = scene;
  const first = await lend(shop, { client, water, amount: 1000, cash: 600 });
  const second = newSaleOf(await swap(scene, first, [1000, 1000], {}));
  const paidOut = { transactions: [{ payment_type: 'cash', amount: 100 }] };
  const third = newSaleOf(await swap(scene, second, [1000, 500], paidOut));
  expect([await owedBy(shop, client), await cashOf(shop)]).toEqual([0, 500]);
  expect(await returned(shop, third, 500, 500)).toBe(200);
  expect(await cashOf(shop)).toBe(0);
  expect(await faultsOf(shop)).toEqual([]);
});

test('a payment of the first debt and a return that closes it from afar are one after the other', async () => {
  const scene = await newScene();
  const { shop, client, water } = scene;
  for (let round = 0; round < 4; round++) {
    const first = await lend(shop, { client, water, amount: 100 });
    const second = newSaleOf(await swap(scene, first, [100, 100]));
    const json = { client_id: client, cashbox_id: shop.cashboxId };
    const payments = [{ payment_type: 'cash', amount: 100 }];
    const [paid, gone] = await Promise.all([
      call('POST /company/client/debt-payment', { token: shop.director, json: { ...json, payments } }),
      returned(shop, second, 100),
    ]);
    expect([paid.status, gone].sort()).toEqual([200, 422]);
    if (gone === 422) expect(await returned(shop, second, 100, 100)).toBe(200);
    expect([await owedBy(shop, client), await cashOf(shop)]).toEqual([0, 0]);
  }
  expect(await faultsOf(shop)).toEqual([]);
});

test('returns at once that close one debt from afar close it by the value of both, and each but once', async () => {
  const scene = await newScene();
  const { shop, client, water } = scene;
  for (let round = 0; round < 4; round++) {
    const first = await lend(shop, { client, water, amount: 100 });
    const exchanges = [await swap(scene, first, [50, 50]), await swap(scene, first, [50, 50])] as const;
    const [one, two] = [newSaleOf(exchanges[0]), newSaleOf(exchanges[1])];
    const debt = exchanges[0].number('exchange_sale.origins.0.debt_id');
    expect(await Promise.all([one, two].map((id) => returned(shop, id, 30)))).toEqual([200, 200]);
    expect(await debtOf(shop, debt)).toMatchObject({ returned_amount: 60, remaining_amount: 40 });
    const rest = await Promise.all([one, one, two, two].map((id) => returned(shop, id, 20)));
    expect(rest.filter((status) => status === 200)).toHaveLength(2);
    expect(await debtOf(shop, debt)).toMatchObject({ returned_amount: 100, remaining_amount: 0 });
    expect([await owedBy(shop, client), await cashOf(shop)]).toEqual([0, 0]);
  }
  expect(await faultsOf(shop)).toEqual([]);
});

test('a refund of a payment and a return that closes its debt from afar are one after the other', async () => {
  const scene = await newScene();
  const { shop, client, water } = scene;
  for (let round = 0; round < 4; round++) {
    const first = await lend(shop, { client, water, amount: 100 });
    const second = newSaleOf(await swap(scene, first, [100, 100]));
    const [payment] = await payDebt(shop, client, { cash: 100 });
    const [refunded, gone] = await Promise.all([
      refundDebt(shop, payment?.id ?? 0),
      returned(shop, second, 100, 100),
    ]);
    expect([refunded.status, gone]).toEqual(refunded.status === 200 ? [200, 422] : [400, 200]);
    if (gone === 422) expect(await returned(shop, second, 100)).toBe(200);
    expect([await owedBy(shop, client), await cashOf(shop)]).toEqual([0, 0]);
  }
  expect(await faultsOf(shop)).toEqual([]);
});

test('a sale after twenty exchanges on debt is not exchanged again: 400', async () => {
  const scene = await newScene();
  const { shop, client, water } = scene;
  let last = await lend(shop, { client, water, amount: 1 });
  const debt = { transactions: [{ payment_type: 'debt', amount: 1 }] };
  for (let pieces = 1; pieces <= 20; pieces++)
    last = newSaleOf(await swap(scene, last, [pieces, pieces + 1], debt));
  expect(await swap(scene, last, [21, 22], debt)).toMatchObject(
    errorWith('exchange.too_many_debts', { max: 20 }),
  );
  expect(await owedBy(shop, client)).toBe(21);
  expect(await returned(shop, last, 21)).toBe(200);
  expect(await owedBy(shop, client)).toBe(0);
  expect(await faultsOf(shop)).toEqual([]);
});
