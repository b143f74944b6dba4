import { expect, test } from 'vitest';
import { newCompany } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorWith, idsOf, make } from '#tests/support/records.ts';
import { newGoods, newShop, type Shop, sellOne } from '#tests/support/shop.ts';
import { movementsSeen, newWarehouse, PURCHASES, STOCK_LEVELS } from '#tests/support/stock.ts';
import { end, moveAtOnce, newTwoDepots, send, TRANSFERS, transferOf } from '#tests/support/transfers.ts';
import { insertUser } from '#tests/support/users.ts';

const WAREHOUSES = '/company/stock/stock';

const remove = ({ director, stockId }: Shop) => call(`DELETE ${WAREHOUSES}/${stockId}`, { token: director });

const move = ({ director, stockId }: Shop, company_id: number) =>
  call(`PUT ${WAREHOUSES}/${stockId}`, { token: director, json: { name: 'Main', company_id } });

/** Creates a branch of the shop's company, and its director, to whom only the branch is open. */
async function newBranch({ companyId }: Shop) {
  const branch = await newCompany(companyId);
  const place = { company_id: branch, family_id: companyId, are_all_companies_available: false };
  const { token } = await insertUser({ type: 'director', ...place });
  return { branch, branchDirector: token };
}

test('a warehouse with goods is neither deleted nor moved; one whose goods are sold is', async () => {
  const shop = await newShop();
  const { branch } = await newBranch(shop);
  const id = await newGoods(shop, [{ quantity: 2, cost: 1 }]);
  expect(await remove(shop)).toMatchObject(errorWith('stock.not_empty'));
  expect(await move(shop, branch)).toMatchObject(errorWith('stock.moves_with_goods'));
  expect((await move(shop, shop.companyId)).status).toBe(200);
  expect((await sellOne(shop, id, 2, 5000)).status).toBe(200);
  expect((await move(shop, branch)).body).toMatchObject({ company_id: branch });
  expect((await remove(shop)).status).toBe(200);
  const restored = await call(`DELETE ${WAREHOUSES}/${shop.stockId}/restore`, { token: shop.director });
  expect(restored.status).toBe(200);
});

test('neither warehouse of a transfer under way is deleted, until its goods have arrived or come back (Contract 8)', async () => {
  const depots = await newTwoDepots(1);
  const { token, stockId, secondId } = depots;
  const removeOne = (id: number) => call(`DELETE ${WAREHOUSES}/${id}`, { token });
  const first = await send(depots, 10);
  for (const id of [stockId, secondId]) {
    expect(await removeOne(id)).toMatchObject(errorWith('stock.in_transit'));
  }
  expect((await end(token, first, 'cancel')).status).toBe(200);
  expect(await removeOne(stockId)).toMatchObject(errorWith('stock.not_empty'));
  expect((await removeOne(secondId)).status).toBe(200);
  expect((await call(`DELETE ${WAREHOUSES}/${secondId}/restore`, { token })).status).toBe(200);
  await moveAtOnce(depots, 10);
  expect(await removeOne(secondId)).toMatchObject(errorWith('stock.not_empty'));
  expect((await removeOne(stockId)).status).toBe(200);
});

test('goods that are sent while their warehouse is deleted are never left on their way', async () => {
  for (let round = 0; round < 4; round++) {
    const depots = await newTwoDepots(1);
    const { token, stockId } = depots;
    const [sent, removed] = await Promise.all([
      call(`POST ${TRANSFERS}`, { token, json: transferOf(depots, 10) }),
      call(`DELETE ${WAREHOUSES}/${stockId}`, { token }),
    ]);
    expect([sent.status, removed.status]).toEqual([200, 400]);
    expect((await end(token, sent.number('id'), 'cancel')).status).toBe(200);
  }
});

test('a warehouse from which goods are on their way keeps its company, one to which they are may change it (Contract 9.84)', async () => {
  const depots = await newTwoDepots(1);
  const { token, companyId, stockId, secondId } = depots;
  const company_id = await newCompany(companyId);
  const moveOne = (id: number) =>
    call(`PUT ${WAREHOUSES}/${id}`, { token, json: { name: `Склад ${id}`, company_id } });
  const id = await send(depots, 10);
  expect(await moveOne(stockId)).toMatchObject(errorWith('stock.in_transit'));
  expect((await moveOne(secondId)).status).toBe(200);
  expect((await end(token, id, 'cancel')).status).toBe(200);
  expect(await moveOne(stockId)).toMatchObject(errorWith('stock.moves_with_goods'));
  expect((await call(`GET ${TRANSFERS}/${id}`, { token })).body).toMatchObject({ company_id: companyId });
  const arrived = await send(depots, 10);
  expect(await end(token, arrived, 'complete')).toMatchObject({ status: 200 });
  expect((await moveOne(stockId)).status).toBe(200);
  const { body } = await call(`GET ${TRANSFERS}/${arrived}`, { token });
  expect(body).toMatchObject({ company_id: companyId, to_company_id: company_id });
});

test('of goods that are sent and their warehouse’s move at the same moment, the move is refused (Contract 9.84)', async () => {
  for (let round = 0; round < 4; round++) {
    const depots = await newTwoDepots(1);
    const { token, companyId, stockId } = depots;
    const company_id = await newCompany(companyId);
    const [sent, moved] = await Promise.all([
      call(`POST ${TRANSFERS}`, { token, json: transferOf(depots, 10) }),
      call(`PUT ${WAREHOUSES}/${stockId}`, { token, json: { name: 'Main', company_id } }),
    ]);
    expect([sent.status, moved.status]).toEqual([200, 400]);
  }
});

test('of goods that are sent and their destination’s deletion at the same moment one is refused', async () => {
  const depots = await newTwoDepots(1);
  const { token } = depots;
  for (let round = 0; round < 8; round++) {
    const secondId = await newWarehouse(token, `Склад ${round}`);
    const [sent, removed] = await Promise.all([
      call(`POST ${TRANSFERS}`, { token, json: transferOf({ ...depots, secondId }, 1) }),
      call(`DELETE ${WAREHOUSES}/${secondId}`, { token }),
    ]);
    expect([
      [200, 400],
      [422, 200],
    ]).toContainEqual([sent.status, removed.status]);
  }
});

/** Creates a draft of a goods receipt of one piece. */
function newDraft({ director, stockId }: Shop, product_id: number): Promise<number> {
  const products = [{ product_id, quantity: 1, cost: 1 }];
  return make(PURCHASES, director, { stock_id: stockId, currency: 'uzs', products });
}

const complete = ({ director }: Shop, id: number) =>
  call(`PATCH ${PURCHASES}/${id}/complete`, { token: director });

test('of a receipt and its warehouse’s deletion at the same moment one is refused', async () => {
  for (let round = 0; round < 6; round++) {
    const shop = await newShop();
    const draft = await newDraft(shop, await newGoods(shop, []));
    const replies = await Promise.all([complete(shop, draft), remove(shop)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  }
});

test('of a receipt and its warehouse’s move at the same moment, the goods are the receipt’s company’s', async () => {
  for (let round = 0; round < 6; round++) {
    const shop = await newShop();
    const { branch } = await newBranch(shop);
    const draft = await newDraft(shop, await newGoods(shop, []));
    const [received, moved] = await Promise.all([complete(shop, draft), move(shop, branch)]);
    expect(received.status).toBe(200);
    const company_id = moved.status === 200 ? branch : shop.companyId;
    for (const path of [`${PURCHASES}/${draft}`, `${WAREHOUSES}/${shop.stockId}`]) {
      expect((await call(`GET ${path}`, { token: shop.director })).body).toMatchObject({ company_id });
    }
  }
});

test('the balances and movements of a warehouse that moved are its new company’s', async () => {
  const shop = await newShop();
  const { branch, branchDirector } = await newBranch(shop);
  const id = await newGoods(shop, [{ quantity: 1, cost: 1 }]);
  await sellOne(shop, id, 1, 5000);
  expect(await idsOf(STOCK_LEVELS, branchDirector)).toEqual([]);
  const balances = await idsOf(STOCK_LEVELS, shop.director);
  expect(balances).toHaveLength(1);
  await move(shop, branch);
  expect(await idsOf(STOCK_LEVELS, branchDirector, `filter[stock_id]=${shop.stockId}`)).toEqual(balances);
  expect(await idsOf(STOCK_LEVELS, shop.director, `filter[company_id]=${branch}`)).toEqual(balances);
  expect(await idsOf(STOCK_LEVELS, shop.director, `filter[company_id]=${shop.companyId}`)).toEqual([]);
  expect(await movementsSeen(branchDirector, balances[0] ?? 0)).toHaveLength(2);
  const { body } = await call(`GET ${STOCK_LEVELS}?with[]=company`, { token: shop.director });
  expect(body).toMatchObject({ data: [{ company_id: branch, company: { id: branch } }] });
});
