import { expect, test } from 'vitest';
import * as z from 'zod';
import { translate } from '#lib/values/message.ts';
import { newCompany, newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, idsOf, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import {
  closeWarehouse,
  movementsSeen,
  newCards,
  newWarehouse,
  receiveGoods,
  stockLevelsOf,
} from '#tests/support/stock.ts';
import { end, newTwoDepots, send, TRANSFERS, type TwoDepots, transferOf } from '#tests/support/transfers.ts';
import { insertUser } from '#tests/support/users.ts';
import { lineIdsOf } from '#tests/support/write-offs.ts';

const shown = async (token: string, id: number) => (await call(`GET ${TRANSFERS}/${id}`, { token })).body;

/** Returns the pieces of a depot's goods in both warehouses. */
async function piecesIn({ token, stockId, secondId }: TwoDepots) {
  const [here, there] = await Promise.all(
    [stockId, secondId].map((id) => stockLevelsOf(token, `filter[stock_id]=${id}`)),
  );
  return [here?.map(({ quantity }) => quantity), there?.map(({ quantity }) => quantity)];
}

test('goods leave one warehouse, are in transit, and arrive in the other in the same batches', async () => {
  const depots = await newTwoDepots(2);
  const { token, stockId, secondId, goods, batches, companyId, directorId } = depots;
  const made = await call(`POST ${TRANSFERS}`, { token, json: transferOf(depots) });
  expect(made).toMatchObject({
    status: 200,
    body: {
      creator_id: directorId,
      company_id: companyId,
      from_stock_id: stockId,
      to_stock_id: secondId,
      status: 'in_transit',
      products_count: 2,
      completed_at: null,
    },
  });
  expect(await piecesIn(depots)).toEqual([[6, 6], []]);
  const before = await stockLevelsOf(token);
  const id = made.number('id');
  const sent = await call(`GET ${TRANSFERS}/${id}`, { token });
  expect(sent.body).toMatchObject({
    products: goods.map((product_id, index) => ({
      product_id,
      quantity: 4,
      batches: [{ id: batches[index], quantity: 4, cost: 2, currency: 'uzs' }],
      product: { id: product_id },
    })),
  });
  expect((await end(token, id, 'complete')).body).toEqual({ message: 'Успешно' });
  expect(await piecesIn(depots)).toEqual([
    [6, 6],
    [4, 4],
  ]);
  expect(await shown(token, id)).toMatchObject({ status: 'completed', completed_at: expect.any(String) });
  const [here, there] = [before[0], (await stockLevelsOf(token, `filter[stock_id]=${secondId}`))[0]];
  expect(there).toMatchObject({ product_id: goods[0], batches: [{ id: batches[0], quantity: 4, cost: 2 }] });
  const line_id = sent.number('products.0.id');
  const movement = { document_type: 'transfer', document_id: id, line_id };
  expect((await movementsSeen(token, here?.id ?? 0))[0]).toMatchObject({ ...movement, quantity: -4 });
  expect(await movementsSeen(token, there?.id ?? 0)).toMatchObject([{ ...movement, quantity: 4 }]);
});

test('a canceled transfer puts goods back into their very batches, the oldest of which had gone first', async () => {
  const depots = await newTwoDepots(1);
  const { token, stockId, goods, batches } = depots;
  const later = await receiveGoods(token, {
    stock_id: stockId,
    products: [{ product_id: goods[0], quantity: 5, cost: 3 }],
  });
  const [batch] = await lineIdsOf(token, later);
  const id = await send(depots, 12);
  expect((await stockLevelsOf(token))[0]?.batches).toMatchObject([{ id: batch, quantity: 3, cost: 3 }]);
  expect((await end(token, id, 'cancel')).status).toBe(200);
  expect((await stockLevelsOf(token))[0]?.batches).toMatchObject([
    { id: batches[0], quantity: 10, cost: 2 },
    { id: batch, quantity: 5, cost: 3 },
  ]);
  for (const word of ['complete', 'cancel'] as const) {
    const message = translate('ru', { key: 'transfer.not_in_transit' });
    expect(await end(token, id, word)).toMatchObject({ status: 400, body: { message } });
  }
});

test('a body is refused with all that is wrong with it', async () => {
  const depots = await newTwoDepots(1);
  const { token, goods, stockId, companyId } = depots;
  const request = `POST ${TRANSFERS}`;
  expect(await errorsOf(request, token, {})).toEqual({
    from_stock_id: REQUIRED,
    to_stock_id: REQUIRED,
    products: REQUIRED,
  });
  expect(await errorsOf(request, token, transferOf(depots, 4, { to_stock_id: stockId }))).toEqual({
    to_stock_id: translate('ru', { key: 'transfer.same_stock' }),
  });
  const places = { from_stock_id: 98, to_stock_id: 99 };
  expect(await errorsOf(request, token, transferOf(depots, 4, places))).toEqual({
    from_stock_id: NOT_FOUND,
    to_stock_id: NOT_FOUND,
  });
  const [other] = await newCards({ ...depots, companyId }, 1);
  const products = [
    { product_id: goods[0], quantity: 10.00000001 },
    { product_id: other, quantity: 1 },
    { product_id: 99, quantity: 1 },
  ];
  const short = (available: number) => translate('ru', { key: 'stock.not_enough', with: { available } });
  expect(await errorsOf(request, token, transferOf(depots, 4, { products }))).toEqual({
    'products.0.quantity': short(10),
    'products.1.quantity': short(0),
    'products.2.product_id': NOT_FOUND,
  });
  expect(await piecesIn(depots)).toEqual([[10], []]);
});

test('goods may go to a branch of the family, and transfers are found by what they tell', async () => {
  const depots = await newTwoDepots(1);
  const { token, companyId, secondId } = depots;
  const branch = await newCompany(companyId);
  const third = await newWarehouse(token, 'Филиал', { company_id: branch });
  const arrived = await send(depots, 4, { to_stock_id: third });
  expect(await end(token, arrived, 'complete')).toMatchObject({ status: 200 });
  expect(await stockLevelsOf(token, `filter[company_id]=${branch}`)).toMatchObject([{ quantity: 4 }]);
  const id = await send(depots, 1);
  const filtered = (query: string) => idsOf(TRANSFERS, token, query);
  expect(await filtered('filter[status]=in_transit')).toEqual([id]);
  expect(await filtered(`filter[to_stock_id]=${third}`)).toEqual([arrived]);
  expect(await filtered(`filter[from_stock_id]=${secondId}`)).toEqual([]);
  const embeds = 'with[]=from_stock&with[]=to_stock&with[]=company&with[]=creator.profile';
  expect((await call(`GET ${TRANSFERS}?filter[id]=${id}&${embeds}`, { token })).body).toMatchObject({
    data: [{ from_stock: { id: depots.stockId }, to_stock: { id: secondId }, company: { id: companyId } }],
    meta: { per_page: 20 },
  });
  const workbook = await call(`GET ${TRANSFERS}?format=excel`, { token });
  expect(workbook.headers.get('content-type')).toContain('spreadsheetml');
});

/** Creates two depots of which the second is a branch's, and people of either end and of neither. */
async function newEnds() {
  const depots = await newTwoDepots(1);
  const { token, companyId, stockId } = depots;
  const branch = await newCompany(companyId);
  const place = { company_id: branch, family_id: companyId, are_all_companies_available: false };
  const [secondId, thirdId, { token: branchDirector }] = await Promise.all([
    newWarehouse(token, 'Филиал', { company_id: branch }),
    newWarehouse(token, 'Третий'),
    insertUser({ type: 'director', ...place }),
  ]);
  const words = ['index', 'show', 'store', 'complete', 'cancel'];
  const rights = words.map((word) => `company.trade.transfer.${word}`);
  const [sender, receiver, other] = await Promise.all([
    newEmployee(depots, rights, { stock_ids: [stockId] }),
    newEmployee(depots, rights, { ...place, stock_ids: [secondId] }),
    newEmployee(depots, rights, { stock_ids: [thirdId] }),
  ]);
  const ends = {
    ...depots,
    emptyId: depots.secondId,
    secondId,
    thirdId,
    branchDirector,
    sender,
    receiver,
    other,
  };
  return { ...ends, bySender: { ...ends, token: sender } };
}

test('a transfer is seen by who reaches either of its warehouses, a branch’s director too (Contract 9.78)', async () => {
  const { bySender, ...ends } = await newEnds();
  const [to, elsewhere] = [await send(bySender, 1), await send(ends, 1, { to_stock_id: ends.thirdId })];
  const seen = async (token: string) => {
    const { body } = await call(`GET ${TRANSFERS}?sort[]=id&filter[status]=in_transit`, { token });
    const { data, meta } = z
      .object({ data: z.array(z.object({ id: z.int() })), meta: z.object({ total: z.int() }) })
      .parse(body);
    expect(meta.total).toBe(data.length);
    const shows = await Promise.all(
      [to, elsewhere].map(async (id) => (await call(`GET ${TRANSFERS}/${id}`, { token })).status),
    );
    return [data.map(({ id }) => id), shows];
  };
  expect(await seen(ends.token)).toEqual([
    [to, elsewhere],
    [200, 200],
  ]);
  expect(await seen(ends.sender)).toEqual([
    [to, elsewhere],
    [200, 200],
  ]);
  expect(await seen(ends.receiver)).toEqual([[to], [200, 404]]);
  expect(await seen(ends.branchDirector)).toEqual([[to], [200, 404]]);
  expect(await seen(ends.other)).toEqual([[elsewhere], [404, 200]]);
  expect(await seen((await newFamily()).director)).toEqual([[], [404, 404]]);
  const filtered = (query: string) => idsOf(TRANSFERS, ends.receiver, query);
  expect(await filtered(`filter[to_stock_id]=${ends.secondId}`)).toEqual([to]);
  expect(await filtered(`filter[to_stock_id]=${ends.thirdId}`)).toEqual([]);
  const { rows } = await downloadSheet(`${TRANSFERS}?format=excel`, ends.receiver);
  expect(rows.slice(1).map(([number]) => number)).toEqual([to]);
});

test('goods are sent and canceled by who reaches the warehouse they leave, received by who reaches the other (Contract 9.78)', async () => {
  const { bySender, ...ends } = await newEnds();
  const sending = `POST ${TRANSFERS}` as const;
  expect(await errorsOf(sending, ends.receiver, transferOf(ends, 1))).toEqual({ from_stock_id: NOT_FOUND });
  const gone = await newWarehouse(ends.token, 'Закрытый');
  expect((await call(`DELETE /company/stock/stock/${gone}`, { token: ends.token })).status).toBe(200);
  for (const to_stock_id of [gone, 999]) {
    const json = transferOf(ends, 1, { to_stock_id });
    expect(await errorsOf(sending, ends.sender, json)).toEqual({ to_stock_id: NOT_FOUND });
  }
  const [first, second] = [await send(bySender, 1), await send(bySender, 2)];
  const status = async (token: string, word: 'complete' | 'cancel') => (await end(token, first, word)).status;
  for (const token of [ends.sender, ends.other]) expect(await status(token, 'complete')).toBe(404);
  for (const token of [ends.receiver, ends.branchDirector, ends.other])
    expect(await status(token, 'cancel')).toBe(404);
  expect((await end(ends.receiver, first, 'complete')).status).toBe(200);
  expect((await end(ends.sender, second, 'cancel')).status).toBe(200);
  expect(await piecesIn(ends)).toEqual([[9], [1]]);
});

test('a caller who may make a transfer gets the names of all warehouses of the family (Contract 9.78)', async () => {
  const { companyId, stockId, ...ends } = await newEnds();
  const all = [stockId, ends.emptyId, ends.secondId, ends.thirdId];
  const request = `GET ${TRANSFERS}/stocks` as const;
  const gone = await newWarehouse(ends.token, 'Закрытый');
  expect((await call(`DELETE /company/stock/stock/${gone}`, { token: ends.token })).status).toBe(200);
  const maker = await newEmployee({ companyId }, ['company.trade.transfer.store'], { stock_ids: [stockId] });
  for (const token of [maker, ends.branchDirector]) {
    const { status, body } = await call(request, { token });
    expect(status).toBe(200);
    const { data } = z.object({ data: z.array(z.looseObject({ id: z.int() })) }).parse(body);
    expect(data.map(({ id }) => id)).toEqual(all.toSorted((a, b) => a - b));
    expect(data).toContainEqual({ id: stockId, name: 'Главный', company_id: companyId });
  }
  const reader = await newEmployee({ companyId }, ['company.trade.transfer.index'], { stock_ids: [stockId] });
  expect((await call(request, { token: reader })).status).toBe(403);
});

test('a count of the other warehouse closes a transfer to who does not reach that (Contract 9.13)', async () => {
  const { bySender, ...ends } = await newEnds();
  const id = await send(bySender, 1);
  await closeWarehouse(ends, ends.stockId);
  expect(await end(ends.receiver, id, 'complete')).toMatchObject(errorWith('stock.being_counted'));
});

test('a transfer from or to a warehouse that is counted is not made, completed or canceled (Contract 9.13)', async () => {
  for (const closed of ['stockId', 'secondId'] as const) {
    const depots = await newTwoDepots(1);
    const id = await send(depots);
    await closeWarehouse(depots, depots[closed]);
    const refusal = errorWith('stock.being_counted');
    const { token } = depots;
    expect(await call(`POST ${TRANSFERS}`, { token, json: transferOf(depots) })).toMatchObject(refusal);
    expect(await end(token, id, 'complete')).toMatchObject(refusal);
    expect(await end(token, id, 'cancel')).toMatchObject(refusal);
    expect(await piecesIn(depots)).toEqual([[6], []]);
  }
});

test('of the ends of a transfer at once one counts', async () => {
  for (const words of [
    ['complete', 'complete'],
    ['complete', 'cancel'],
    ['cancel', 'cancel'],
  ] as const) {
    const depots = await newTwoDepots(1);
    const { token } = depots;
    const id = await send(depots);
    const replies = await Promise.all(words.map((word) => end(token, id, word)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
    const { status } = z.object({ status: z.string() }).parse(await shown(token, id));
    expect(await piecesIn(depots)).toEqual(status === 'completed' ? [[6], [4]] : [[10], []]);
  }
});

test('transfers at once never send more than there is', async () => {
  const depots = await newTwoDepots(1);
  const { token } = depots;
  const json = transferOf(depots, 4);
  const replies = await Promise.all([1, 2, 3, 4].map(() => call(`POST ${TRANSFERS}`, { token, json })));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422]);
  expect(await piecesIn(depots)).toEqual([[2], []]);
});

test('a repeated call is answered again and done once', async () => {
  const depots = await newTwoDepots(1);
  const { token } = depots;
  const headers = { 'Idempotency-Key': 'send' };
  const sending = () => call(`POST ${TRANSFERS}`, { token, json: transferOf(depots), headers });
  const [made, again] = [await sending(), await sending()];
  expect(again.body).toEqual(made.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(await piecesIn(depots)).toEqual([[6], []]);
  const id = made.number('id');
  const replies = [1, 2].map(() => end(token, id, 'complete', { 'Idempotency-Key': 'complete' }));
  for (const { status } of await Promise.all(replies)) expect(status).toBe(200);
  expect(await piecesIn(depots)).toEqual([[6], [4]]);
});

test('120 lines go and arrive all at once', async () => {
  const depots = await newTwoDepots(120);
  const { token, secondId, goods, batches } = depots;
  const there = await send(depots, 10);
  expect(await end(token, there, 'complete')).toMatchObject({ status: 200 });
  const last = await stockLevelsOf(token, `filter[product_id]=${goods.at(-1)}&filter[stock_id]=${secondId}`);
  expect(last).toMatchObject([{ quantity: 10, batches: [{ id: batches.at(-1), quantity: 10 }] }]);
  const back = await send(depots, 10, { from_stock_id: secondId, to_stock_id: depots.stockId });
  expect(await idsOf(TRANSFERS, token)).toEqual([there, back]);
});
