import { expect, test } from 'vitest';
import { newEmployee, newFamily, newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { idsOf } from '#tests/support/records.ts';
import {
  movementsSeen,
  newCards,
  newWarehouse,
  receiveGoods,
  STOCK_LEVELS,
  stockLevelsOf,
} from '#tests/support/stock.ts';

const lineOf = (product_id: number | undefined) => ({ product_id, quantity: 1, cost: 1 });

test('balances are found by warehouse, product and company, by one value or a list', async () => {
  const family = await newFamily();
  const { director: token, companyId } = family;
  const goods = await newCards(family, 2);
  const [main, far] = [await newWarehouse(token), await newWarehouse(token, 'Дальний')];
  await receiveGoods(token, { stock_id: main, products: goods.map(lineOf) });
  await receiveGoods(token, { stock_id: far, products: goods.slice(1).map(lineOf) });
  const found = (query: string) => idsOf(STOCK_LEVELS, token, query);
  const stockLevels = await stockLevelsOf(token);
  expect(stockLevels.map(({ product_id }) => product_id)).toEqual([goods[0], goods[1], goods[1]]);
  const [first, second, third] = stockLevels.map(({ id }) => id);
  expect(await found('')).toEqual([first, second, third]);
  expect(await found(`filter[stock_id]=${far}`)).toEqual([third]);
  expect(await found(`filter[stock_id][]=${main}&filter[stock_id][]=${far}`)).toEqual([first, second, third]);
  expect(await found(`filter[product_id]=${goods[1]}`)).toEqual([second, third]);
  expect(await found(`filter[product_id][]=${goods[0]}&filter[stock_id]=${main}`)).toEqual([first]);
  expect(await found(`filter[company_id]=${companyId}&filter[id]=${second}`)).toEqual([second]);
  expect(await found('filter[company_id]=999999999')).toEqual([]);
});

test('a caller sees balances and movements of the warehouses open to them', async () => {
  const family = await newFamilyWithBranch();
  const { director: token, branch, branchDirector } = family;
  const goods = await newCards(family, 1);
  const main = await newWarehouse(token);
  const far = await newWarehouse(token, 'Филиал', { company_id: branch });
  for (const stock_id of [main, far]) await receiveGoods(token, { stock_id, products: goods.map(lineOf) });
  const other = await newWarehouse(token, 'Пустой');
  const employee = await newEmployee(family, ['company.stock.product.*'], { stock_ids: [other] });
  const stranger = (await newFamily()).director;
  const [own = 0, theirs = 0] = await idsOf(STOCK_LEVELS, token);
  expect(await idsOf(STOCK_LEVELS, branchDirector)).toEqual([theirs]);
  expect(await idsOf(STOCK_LEVELS, employee)).toEqual([]);
  for (const outsider of [branchDirector, employee, stranger]) {
    const { status } = await call(`GET ${STOCK_LEVELS}/${own}/movements`, { token: outsider });
    expect(status).toBe(404);
  }
  expect(await movementsSeen(branchDirector, theirs)).toHaveLength(1);
});

test('movements are paged, the newest first, however many there are', async () => {
  const family = await newFamily();
  const { director: token } = family;
  const goods = await newCards(family, 1);
  const stock_id = await newWarehouse(token);
  for (let count = 0; count < 23; count++)
    await receiveGoods(token, { stock_id, products: goods.map(lineOf) });
  const [id = 0] = await idsOf(STOCK_LEVELS, token);
  const after = async (query: string) =>
    (await movementsSeen(token, id, query)).map(({ quantity_after }) => quantity_after);
  const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, less) => from - less);
  expect(await after('')).toEqual(down(23, 4));
  expect(await after('page=2')).toEqual(down(3, 1));
  expect(await after('page=3')).toEqual([]);
  expect(await after('page=2&page-size=7')).toEqual(down(16, 10));
  expect((await call(`GET ${STOCK_LEVELS}/${id}/movements?page-size=201`, { token })).status).toBe(422);
  expect(await stockLevelsOf(token)).toMatchObject([{ quantity: 23 }]);
});
