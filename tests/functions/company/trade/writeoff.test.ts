import { expect, test } from 'vitest';
import * as z from 'zod';
import { completeWriteOff } from '#lib/trade/write-off/end.ts';
import { translate } from '#lib/values/message.ts';
import { directorAs, newCompany, newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, errorWith, idsOf, make, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import {
  closeWarehouse,
  movementsSeen,
  newCards,
  newWarehouse,
  PURCHASES,
  receiveGoods,
  stockLevelsOf,
} from '#tests/support/stock.ts';
import {
  type Depot,
  lineIdsOf,
  newDepot,
  patch,
  WRITE_OFFS,
  writeOffAtOnce,
  writeOffOf,
  writeOffOfGoodsReceipt,
} from '#tests/support/write-offs.ts';

const Shown = z.object({ products: z.array(z.object({ id: z.int(), product: z.unknown().optional() })) });

const seen = async (token: string, id: number) => (await call(`GET ${WRITE_OFFS}/${id}`, { token })).body;

const quantitiesOf = async (token: string) => (await stockLevelsOf(token)).map(({ quantity }) => quantity);

/** Puts a product of a depot into a draft, and returns the address of that. */
async function newDraft({ token, stockId }: Depot, product_id = 0): Promise<string> {
  const desk = await make('/company/cashbox/cashbox', token, { name: 'Касса', type: 'sale' });
  const address = `/company/trade/cashbox/${desk}/cheque/1`;
  const json = { stock_id: stockId, products: [{ product_id, quantity: 1 }] };
  expect((await call(`PUT ${address}`, { token, json })).status).toBe(200);
  return address;
}

test('a write-off is made, edited, completed and canceled, and its goods go and come back', async () => {
  const depot = await newDepot(2);
  const { token, stockId, batches, goods, companyId, directorId } = depot;
  const json = writeOffOf(depot);
  const made = await call(`POST ${WRITE_OFFS}`, { token, json });
  const id = made.number('id');
  expect(made.body).toEqual({
    id,
    creator_id: directorId,
    company_id: companyId,
    source_type: 'stock',
    source_id: stockId,
    name: 'Бой',
    created_at: expect.any(String),
    updated_at: expect.any(String),
  });
  const waiting = await call(`GET ${WRITE_OFFS}/${id}`, { token });
  expect(waiting.body).toMatchObject({
    status: 'waiting_for_confirmation',
    products_count: 2,
    amounts: { uzs: 0 },
    products: goods.map((product_id, index) => ({
      product_id,
      source_product_id: batches[index],
      quantity: 3,
      reason: 'common_loss',
      comment: null,
      product: { id: product_id },
    })),
  });
  expect(await quantitiesOf(token)).toEqual([10, 10]);

  expect((await patch(token, id, 'complete')).body).toEqual({ message: 'Успешно' });
  expect(await seen(token, id)).toMatchObject({ status: 'completed', amounts: { uzs: 12, usd: 0 } });
  const [balance] = await stockLevelsOf(token);
  expect(balance).toMatchObject({ quantity: 7, batches: [{ id: batches[0], quantity: 7 }] });
  const line_id = waiting.number('products.0.id');
  const movement = { document_type: 'writeoff', document_id: id, line_id };
  const out = { ...movement, quantity: -3, quantity_before: 10, quantity_after: 7 };
  expect((await movementsSeen(token, balance?.id ?? 0))[0]).toEqual(out);

  expect((await patch(token, id, 'cancel')).body).toEqual({ message: 'Успешно' });
  expect(await seen(token, id)).toMatchObject({ status: 'canceled' });
  const back = { ...movement, quantity: 3, quantity_before: 7, quantity_after: 10 };
  expect((await movementsSeen(token, balance?.id ?? 0))[0]).toEqual(back);
  expect((await stockLevelsOf(token))[0]).toMatchObject({
    batches: [{ id: batches[0], quantity: 10, cost: 2 }],
  });
});

test('an edit rewrites a write-off by the rules of a new one, and lines keep their ids', async () => {
  const depot = await newDepot(3);
  const { token, goods, batches } = depot;
  const id = await make(WRITE_OFFS, token, writeOffOf(depot));
  const ids = Shown.parse(await seen(token, id)).products.map((line) => line.id);
  const [first, , third] = ids;
  const line = (index: number, given: object) => {
    return {
      product_id: goods[index],
      source_product_id: batches[index],
      quantity: 1.5,
      reason: 'stock_damage',
      ...given,
    };
  };
  const json = writeOffOf(depot, {
    name: 'Порча',
    products: [line(2, { id: third }), line(1, {}), line(0, { id: first })],
  });
  const { status, body } = await call(`PUT ${WRITE_OFFS}/${id}`, { token, json });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    name: 'Порча',
    status: 'waiting_for_confirmation',
    products_count: 3,
    products: [
      { id: third, product_id: goods[2], quantity: 1.5, reason: 'stock_damage' },
      { product_id: goods[1] },
      { id: first, product_id: goods[0] },
    ],
  });
  expect(ids).not.toContain(Shown.parse(body).products[1]?.id);
  const wrong = writeOffOf(depot, {
    products: [line(0, { id: first }), line(1, { id: first }), line(2, { id: 99 })],
  });
  expect(await errorsOf(`PUT ${WRITE_OFFS}/${id}`, token, wrong)).toEqual({
    'products.1.id': translate('ru', { key: 'validation.duplicate' }),
    'products.2.id': NOT_FOUND,
  });
  await patch(token, id, 'complete');
  expect(await call(`PUT ${WRITE_OFFS}/${id}`, { token, json })).toMatchObject({ status: 400 });
});

test('a body is refused with all that is wrong with it', async () => {
  const depot = await newDepot(1);
  const { token, goods, batches } = depot;
  const request = `POST ${WRITE_OFFS}`;
  expect(await errorsOf(request, token, {})).toEqual({
    source_type: REQUIRED,
    source_id: REQUIRED,
    name: REQUIRED,
    products: REQUIRED,
  });
  const line = { product_id: goods[0], source_product_id: batches[0], quantity: 1, reason: 'common_loss' };
  const wrong = [
    { ...line, quantity: 0.00001 },
    { ...line, quantity: 1.00001, reason: 'no reason', comment: 'к'.repeat(1001) },
  ];
  expect(await errorsOf(request, token, writeOffOf(depot, { products: wrong }))).toEqual({
    'products.0.quantity': translate('ru', { key: 'validation.too_small', with: { min: 0.0001 } }),
    'products.1.quantity': translate('ru', { key: 'validation.too_many_decimals', with: { max: 4 } }),
    'products.1.reason': expect.stringContaining('stock_damage'),
    'products.1.comment': translate('ru', { key: 'validation.too_long', with: { max: 1000 } }),
  });
  expect(await errorsOf(request, token, writeOffOf(depot, { products: [line, line] }))).toEqual({
    'products.1.product_id': translate('ru', { key: 'validation.duplicate' }),
  });
  const many = Array.from({ length: 1001 }, (_, index) => ({ ...line, product_id: index + 1 }));
  expect(await errorsOf(request, token, writeOffOf(depot, { products: many }))).toEqual({
    products: translate('ru', { key: 'validation.too_many_items', with: { max: 1000 } }),
  });
  expect(await errorsOf(request, token, writeOffOf(depot, { source_id: 99 }))).toEqual({
    source_id: NOT_FOUND,
  });
});

test('reasons are those of the source, and some need a comment (Contract 9.16)', async () => {
  const depot = await newDepot(5);
  const { token, goods, batches } = depot;
  const withReasons = (reasons: readonly string[], given: object = {}) => ({
    ...given,
    products: reasons.map((reason, index) => {
      return { product_id: goods[index], source_product_id: batches[index], quantity: 1, reason };
    }),
  });
  const request = `POST ${WRITE_OFFS}`;
  const values = 'common_loss, common_other';
  const ofStock = [
    'purchase_incorrect_description',
    'stock_industrial_usage',
    'common_other',
    'stock_overdue',
  ];
  const stock = `stock_damage, stock_defect, stock_overdue, stock_industrial_usage, ${values}`;
  expect(await errorsOf(request, token, writeOffOf(depot, withReasons(ofStock)))).toEqual({
    'products.0.reason': translate('ru', { key: 'validation.not_one_of', with: { values: stock } }),
    'products.1.comment': REQUIRED,
    'products.2.comment': REQUIRED,
  });
  const ofReceipt = ['stock_damage', 'purchase_incorrect_description', 'common_other', 'common_loss'];
  const purchase = `${values}, purchase_incorrect_description`;
  expect(await errorsOf(request, token, writeOffOfGoodsReceipt(depot, withReasons(ofReceipt)))).toEqual({
    'products.0.reason': translate('ru', { key: 'validation.not_one_of', with: { values: purchase } }),
    'products.1.comment': REQUIRED,
    'products.2.comment': REQUIRED,
  });
});

test('goods are written off of one batch, up to what is left of it', async () => {
  const depot = await newDepot(2);
  const { token, stockId, goods, batches } = depot;
  const later = await receiveGoods(token, {
    stock_id: stockId,
    products: [{ product_id: goods[0], quantity: 5, cost: 3 }],
  });
  const [batch] = await lineIdsOf(token, later);
  const line = {
    product_id: goods[0],
    source_product_id: batches[0],
    quantity: 10.0001,
    reason: 'common_loss',
  };
  const refused = (given: object) =>
    errorsOf(`POST ${WRITE_OFFS}`, token, writeOffOf(depot, { products: [{ ...line, ...given }] }));
  expect(await refused({})).toEqual({
    'products.0.quantity': translate('ru', { key: 'stock.not_enough', with: { available: 10 } }),
  });
  expect(await refused({ source_product_id: 99 })).toEqual({ 'products.0.source_product_id': NOT_FOUND });
  expect(await refused({ source_product_id: batches[1] })).toEqual({
    'products.0.source_product_id': NOT_FOUND,
  });
  expect(await refused({ product_id: 99 })).toEqual({ 'products.0.product_id': NOT_FOUND });
  const products = [{ ...line, source_product_id: batch, quantity: 5 }];
  await writeOffAtOnce(token, writeOffOf(depot, { products }));
  expect((await stockLevelsOf(token))[0]).toMatchObject({
    quantity: 10,
    batches: [{ id: batches[0], quantity: 10 }],
  });
});

test('a product in an active sale is 422, at completion 400 naming it (Contract 9.17)', async () => {
  const depot = await newDepot(2);
  const { token, goods } = depot;
  const id = await make(WRITE_OFFS, token, writeOffOf(depot));
  const draft = await newDraft(depot, goods[1]);
  expect(await errorsOf(`POST ${WRITE_OFFS}`, token, writeOffOf(depot))).toEqual({
    'products.1.product_id': translate('ru', { key: 'writeoff.in_active_sale' }),
  });
  const name = `Water ${goods[1]}`;
  const message = translate('ru', { key: 'writeoff.product_in_active_sale', with: { name } });
  expect(await patch(token, id, 'complete')).toMatchObject({ status: 400, body: { message } });
  await call(`DELETE ${draft}`, { token });
  expect((await patch(token, id, 'complete')).status).toBe(200);
});

test('at completion what is left of a batch is looked at again: 400 naming the product (Contract 9.17)', async () => {
  const depot = await newDepot(2);
  const { token, goods } = depot;
  const [first, second] = [
    await make(WRITE_OFFS, token, writeOffOf(depot, {}, 6)),
    await make(WRITE_OFFS, token, writeOffOf(depot, {}, 6)),
  ];
  expect((await patch(token, first, 'complete')).status).toBe(200);
  const told = { name: `Water ${goods[0]}`, available: 4 };
  const message = translate('ru', { key: 'writeoff.product_short', with: told });
  expect(await patch(token, second, 'complete')).toMatchObject({ status: 400, body: { message } });
  expect(await quantitiesOf(token)).toEqual([4, 4]);
});

test('of a receipt only its own batches in its own warehouse are written off (Contract 9.19)', async () => {
  const depot = await newDepot(1);
  const { token, stockId, goods, receiptId } = depot;
  const request = `POST ${WRITE_OFFS}`;
  const products = [{ product_id: goods[0], quantity: 10, cost: 2 }];
  const [batch] = await lineIdsOf(token, await receiveGoods(token, { stock_id: stockId, products }));
  const draft = await make(PURCHASES, token, { stock_id: stockId, currency: 'uzs', products });
  expect(await errorsOf(request, token, writeOffOfGoodsReceipt(depot, { source_id: draft }))).toEqual({
    source_id: translate('ru', { key: 'writeoff.receipt_not_completed' }),
  });
  expect(await errorsOf(request, token, writeOffOfGoodsReceipt(depot, { source_id: 99 }))).toEqual({
    source_id: NOT_FOUND,
  });
  const line = { product_id: goods[0], source_product_id: batch, quantity: 1, reason: 'common_loss' };
  expect(await errorsOf(request, token, writeOffOfGoodsReceipt(depot, { products: [line] }))).toEqual({
    'products.0.source_product_id': NOT_FOUND,
  });
  const id = await writeOffAtOnce(token, writeOffOfGoodsReceipt(depot, {}, 10));
  expect(await errorsOf(request, token, writeOffOfGoodsReceipt(depot))).toEqual({
    'products.0.quantity': translate('ru', { key: 'stock.not_enough', with: { available: 0 } }),
  });
  expect(await seen(token, id)).toMatchObject({ source_type: 'purchase', source_id: receiptId });
  expect((await stockLevelsOf(token))[0]?.batches).toMatchObject([{ id: batch, quantity: 10 }]);
});

test('a completed write-off is canceled on the day of its completion only', async () => {
  const depot = await newDepot(1);
  const { token, directorId, companyId } = depot;
  const id = await make(WRITE_OFFS, token, writeOffOf(depot));
  const actor = directorAs(directorId, companyId);
  await completeWriteOff(actor, id, Date.now() - 86_400_000, () => []);
  const message = translate('ru', { key: 'writeoff.not_today' });
  expect(await patch(token, id, 'cancel')).toMatchObject({ status: 400, body: { message } });
  expect(await quantitiesOf(token)).toEqual([7]);
  const waiting = await make(WRITE_OFFS, token, writeOffOf(depot));
  expect((await patch(token, waiting, 'cancel')).status).toBe(200);
  for (const word of ['complete', 'cancel'] as const)
    expect((await patch(token, waiting, word)).status).toBe(400);
});

test('in a warehouse that is counted drafts are made and edited, and nothing moves (Contract 9.13)', async () => {
  const depot = await newDepot(1);
  const { token, stockId } = depot;
  const completed = await writeOffAtOnce(token, writeOffOf(depot));
  await closeWarehouse(depot, stockId);
  const draft = await make(WRITE_OFFS, token, writeOffOf(depot));
  expect((await call(`PUT ${WRITE_OFFS}/${draft}`, { token, json: writeOffOf(depot) })).status).toBe(200);
  const refusal = errorWith('stock.being_counted');
  expect(await patch(token, draft, 'complete')).toMatchObject(refusal);
  expect(await patch(token, completed, 'cancel')).toMatchObject(refusal);
  expect((await patch(token, draft, 'cancel')).status).toBe(200);
  expect(await quantitiesOf(token)).toEqual([7]);
});

test('of completions and cancellations at once each counts once', async () => {
  for (let round = 0; round < 3; round++) {
    const depot = await newDepot(1);
    const { token } = depot;
    const id = await make(WRITE_OFFS, token, writeOffOf(depot));
    const words =
      round === 0 ? (['complete', 'complete', 'complete'] as const) : (['complete', 'cancel'] as const);
    const replies = await Promise.all(words.map((word) => patch(token, id, word)));
    const shown = z.object({ status: z.string() }).parse(await seen(token, id));
    const isCompleted = shown.status === 'completed';
    if (round === 0) expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await quantitiesOf(token)).toEqual([isCompleted ? 7 : 10]);
    if (!isCompleted) continue;
    const canceled = await Promise.all([1, 2, 3].map(() => patch(token, id, 'cancel')));
    expect(canceled.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(await quantitiesOf(token)).toEqual([10]);
  }
});

test('a repeated call is answered again and done once', async () => {
  const depot = await newDepot(1);
  const { token } = depot;
  const headers = { 'Idempotency-Key': 'create' };
  const create = () => call(`POST ${WRITE_OFFS}`, { token, json: writeOffOf(depot), headers });
  const [made, again] = [await create(), await create()];
  expect(again.body).toEqual(made.body);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  for (const word of ['complete', 'cancel'] as const) {
    const replies = [1, 2].map(() => patch(token, made.number('id'), word, { 'Idempotency-Key': word }));
    for (const { status } of await Promise.all(replies)) expect(status).toBe(200);
    expect(await quantitiesOf(token)).toEqual([word === 'complete' ? 7 : 10]);
  }
});

test('150 lines go all at once, the first hundred are shown with their products, and all come back', async () => {
  const depot = await newDepot(150);
  const { token } = depot;
  const id = await make(WRITE_OFFS, token, writeOffOf(depot));
  expect(await patch(token, id, 'complete')).toMatchObject({ status: 200 });
  const { products } = Shown.parse(await seen(token, id));
  expect(products).toHaveLength(150);
  expect(products.filter(({ product }) => product)).toHaveLength(100);
  expect(await seen(token, id)).toMatchObject({ amounts: { uzs: 900 } });
  expect((await patch(token, id, 'cancel')).status).toBe(200);
  const query = `filter[product_id]=${depot.goods.at(-1)}`;
  expect(await stockLevelsOf(token, query)).toMatchObject([
    { quantity: 10, batches: [{ id: depot.batches.at(-1), quantity: 10 }] },
  ]);
});

test('the list is filtered, and shows what is open to the caller', async () => {
  const depot = await newDepot(1);
  const { token, stockId, directorId, companyId } = depot;
  const [ofStock, ofReceipt] = [
    await make(WRITE_OFFS, token, writeOffOf(depot, { name: 'Бой посуды' })),
    await writeOffAtOnce(token, writeOffOfGoodsReceipt(depot, { name: 'Брак' })),
  ];
  const filtered = (query: string) => idsOf(WRITE_OFFS, token, query);
  expect(await filtered('filter[status]=completed')).toEqual([ofReceipt]);
  expect(await filtered(`filter[source_type]=stock&filter[source_id]=${stockId}`)).toEqual([ofStock]);
  expect(await filtered('filter[name]=ПОСУДЫ')).toEqual([ofStock]);
  expect(await filtered(`filter[creator_id]=${directorId}&filter[company_id]=${companyId}`)).toHaveLength(2);
  const embeds = 'with[]=creator.profile&with[]=company';
  const listed = await call(`GET ${WRITE_OFFS}?${embeds}&filter[id]=${ofStock}`, { token });
  expect(listed.body).toMatchObject({ data: [{ company: { id: companyId } }], meta: { per_page: 20 } });
  const other = await newWarehouse(token, 'Второй');
  const routes = [
    'company.trade.writeoff.index',
    'company.trade.writeoff.show',
    'company.trade.writeoff.complete',
  ];
  const employee = await newEmployee(depot, routes, { stock_ids: [other] });
  expect(await idsOf(WRITE_OFFS, employee)).toEqual([]);
  expect((await call(`GET ${WRITE_OFFS}/${ofStock}`, { token: employee })).status).toBe(404);
  expect((await patch(employee, ofStock, 'complete')).status).toBe(404);
  const stranger = (await newFamily()).director;
  expect((await patch(stranger, ofStock, 'complete')).status).toBe(404);
});

test('a write-off of goods that had cost more than a sum may be is 422 on amounts, and moves nothing (Contract 8)', async () => {
  const depot = await newDepot(1);
  const { token, stockId } = depot;
  const goods = await newCards(depot, 2);
  const lines = goods.map((product_id) => ({ product_id, quantity: 1, cost: 999_999_999_999.99 }));
  const batches = [];
  for (const line of lines) {
    batches.push(
      ...(await lineIdsOf(token, await receiveGoods(token, { stock_id: stockId, products: [line] }))),
    );
  }
  const id = await make(WRITE_OFFS, token, writeOffOf({ ...depot, goods, batches }, {}, 1));
  const message = translate('ru', { key: 'balance.too_large', with: { max: 999_999_999_999.99 } });
  expect(await errorsOf(`PATCH ${WRITE_OFFS}/${id}/complete`, token, {})).toEqual({ amounts: message });
  expect(await quantitiesOf(token)).toEqual([10, 1, 1]);
});

test('a canceled write-off is of the company that its warehouse has come to', async () => {
  const depot = await newDepot(1);
  const { token, companyId, stockId } = depot;
  const id = await writeOffAtOnce(token, writeOffOf(depot, {}, 10));
  const company_id = await newCompany(companyId);
  const json = { name: 'Главный', company_id };
  expect((await call(`PUT /company/stock/stock/${stockId}`, { token, json })).status).toBe(200);
  expect((await patch(token, id, 'cancel')).status).toBe(200);
  expect(await seen(token, id)).toMatchObject({ status: 'canceled', company_id });
});
