import { expect, test } from 'vitest';
import { readBooksOf } from '#tests/support/books.ts';
import { newCatalog } from '#tests/support/catalog.ts';
import { addClient } from '#tests/support/clients.ts';
import { debtOf, lend, newWater, openDebtsIn, payDebt, paying, refundDebt } from '#tests/support/debts.ts';
import { newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, idsOf, make } from '#tests/support/records.ts';
import { back, linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { cashOf, newShop, type Shop } from '#tests/support/shop.ts';

const PAY = 'POST /company/client/debt-payment';

async function newDebtor(amount = 1000) {
  const shop = await newShop();
  const [client, water] = await Promise.all([addClient(shop), newWater(shop)]);
  const sale = await lend(shop, { client, water, amount });
  return { shop, client, water, sale };
}

/** Lists the ids of the shop's debts, the oldest first. */
function debtsOf({ director }: Shop): Promise<number[]> {
  return idsOf('/company/client/debt', director);
}

function pay(shop: Shop, client: number, amount: number) {
  return call(PAY, { token: shop.director, json: paying(shop, client, { cash: amount }) });
}

test('of two refunds of a payment at the same moment one is refused', async () => {
  const { shop, client } = await newDebtor();
  for (let round = 0; round < 5; round++) {
    const [payment] = await payDebt(shop, client, { cash: 100 });
    const both = await Promise.all([1, 2].map(() => refundDebt(shop, payment?.id ?? 0)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await cashOf(shop)).toBe(0);
  }
});

test('of two payments of the whole debt at the same moment one is refused', async () => {
  const { shop, client, water } = await newDebtor();
  for (let round = 1; round <= 5; round++) {
    const both = await Promise.all([1, 2].map(() => pay(shop, client, 1000)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 422]);
    expect(await cashOf(shop)).toBe(1000 * round);
    await lend(shop, { client, water, amount: 1000 });
  }
});

test('a payment of what is left and the refund of an earlier one at the same moment are both made', async () => {
  const { shop, client } = await newDebtor();
  let earlier = await pay(shop, client, 100);
  const debt = earlier.number('data.0.debt_id');
  for (let round = 1; round <= 5; round++) {
    const [paid, refunded] = await Promise.all([
      pay(shop, client, 900),
      refundDebt(shop, earlier.number('data.0.id')),
    ]);
    expect([paid.status, refunded.status]).toEqual([200, 200]);
    expect(await debtOf(shop, debt)).toMatchObject({ repaid_amount: 900, remaining_amount: 100 });
    expect([await cashOf(shop), await openDebtsIn(shop, client)]).toEqual([900, [[debt, 100_00]]]);
    // As at first: 100 are repaid.
    await refundDebt(shop, paid.number('data.0.id'));
    earlier = await pay(shop, client, 100);
  }
  const { violations } = await readBooksOf(shop.companyId);
  expect(violations).toEqual([]);
});

test('a payment and a return that closes the debt at the same moment are one after the other', async () => {
  const { shop, client, water, sale } = await newDebtor();
  let [cash, cheque] = [0, sale];
  for (let round = 1; round <= 5; round++) {
    const [line] = await linesOfSale(shop, cheque);
    const [paid, returned] = await Promise.all([
      pay(shop, client, 1000),
      sendReturn(shop, cheque, back({ [line?.id ?? 0]: 1000 })),
    ]);
    // The first call leaves the other no debt to pay, or money to pay out.
    expect([paid.status, returned.status].sort()).toEqual([200, 422]);
    cash += paid.status === 200 ? 1000 : 0;
    expect(await debtOf(shop, (await debtsOf(shop)).at(-1) ?? 0)).toMatchObject({
      status: 'repaid',
      remaining_amount: 0,
    });
    expect([await cashOf(shop), await openDebtsIn(shop, client)]).toEqual([cash, []]);
    cheque = await lend(shop, { client, water, amount: 1000 });
  }
});

test('a refund and a return that pays out what was repaid are one after the other', async () => {
  const { shop, client, water, sale } = await newDebtor();
  for (let round = 1, cheque = sale; round <= 5; round++) {
    const [payment] = await payDebt(shop, client, { cash: 1000 });
    const [line] = await linesOfSale(shop, cheque);
    const [refunded, returned] = await Promise.all([
      refundDebt(shop, payment?.id ?? 0),
      sendReturn(shop, cheque, back({ [line?.id ?? 0]: 1000 }, 1000)),
    ]);
    expect([refunded.status, returned.status]).toEqual(refunded.status === 200 ? [200, 422] : [400, 200]);
    expect(await cashOf(shop)).toBe(0);
    if (refunded.status === 200) await sendReturn(shop, cheque, back({ [line?.id ?? 0]: 1000 }));
    cheque = await lend(shop, { client, water, amount: 1000 });
  }
});

test('a caller pays the debts of the companies open to them, at any desk (Contract 9.52)', async () => {
  const family = await newFamilyWithBranch();
  const { director: token, branchDirector, branch } = family;
  const places = async (company_id: number, name: string) => ({
    stockId: await make('/company/stock/stock', token, { name, company_id }),
    cashboxId: await make('/company/cashbox/cashbox', token, { name, type: 'sale', company_id }),
  });
  const catalog = await newCatalog(family);
  const main: Shop = { ...family, catalog, ...(await places(family.companyId, 'Main')) };
  const there: Shop = { ...family, catalog, ...(await places(branch, 'Branch')) };
  const client = await addClient(main);
  await lend(main, { client, water: await newWater(main), amount: 300 });
  await lend(there, { client, water: await newWater({ ...there }), amount: 200, due: '2098-01-31' });
  const [mains, branchs] = await debtsOf(main);
  expect(await errorsOf(PAY, branchDirector, paying(there, client, { cash: 201 }))).toHaveProperty(
    'payments',
  );
  const own = await call(PAY, { token: branchDirector, json: paying(there, client, { cash: 150 }) });
  expect(own.body).toMatchObject({ data: [{ debt_id: branchs, company_id: branch }] });
  expect(await payDebt(there, client, { cash: 350 })).toMatchObject([
    { debt_id: branchs, amount: 50, company_id: branch },
    { debt_id: mains, amount: 300, company_id: branch },
  ]);
});
