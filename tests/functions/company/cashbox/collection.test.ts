import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { violationsOf } from '#tests/support/books.ts';
import { newCompany, newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  COLLECTIONS,
  cancelOf,
  collectFromTill,
  confirmOf,
  newIdOf,
  newTill,
  OPERATIONS,
  operate,
  postingsAt,
  reverseOf,
  type Till,
  tillMoneyOf,
} from '#tests/support/operations.ts';
import { errorsOf, errorWith, idsOf, make, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { insertUser } from '#tests/support/users.ts';

const DESKS = '/company/cashbox/cashbox';
/** Path of a collection's first posting in its response. */
const POSTING = 'transactions_data.0.id';

function collect({ token, cashboxId }: Till, items: readonly object[], given: object = {}) {
  return call(`POST ${COLLECTIONS}`, { token, json: { cashbox_id: cashboxId, items, ...given } });
}

test('a collection takes money off the desk at once, on hold, by a posting for each kind', async () => {
  const till = await newTill(100);
  await operate(till, 'income', 7.5, { payment_type: 'card', currency: 'usd' });
  const items = [
    { payment_type: 'cash', currency: 'uzs', amount: 60 },
    { payment_type: 'card', currency: 'usd', amount: 7.5 },
  ];
  const reply = await collect(till, items, { comment: 'Вечер' });
  const { status, body } = reply;
  expect(status).toBe(200);
  const id = newIdOf(reply);
  const [cash, card] = (await postingsAt(till, till.cashboxId)).slice(-2);
  const place = { company_id: till.companyId, cashbox_id: till.cashboxId, creator_id: till.directorId };
  const after = {
    balances_after: { cash: { uzs: '40.00' }, card: { usd: '0.00' } },
    on_hold_after: { outcome: { cash: { uzs: '60.00' }, card: { usd: '7.50' } } },
  };
  const source = {
    source_type: 'collection',
    source_id: id,
    source_data: { collection_id: id, code: `#${id}` },
  };
  const posting = { ...place, ...source, type: 'outcome', status: 'on_hold', comment: 'Вечер' };
  expect(body).toMatchObject({
    id,
    ...place,
    status: 'on_hold',
    comment: 'Вечер',
    additional: after,
    cashbox: { id: till.cashboxId, name: 'Desk 1', type: 'sale' },
    transactions_data: [
      {
        id: cash?.id,
        ...items[0],
        ...posting,
        additional: { on_hold_after: { outcome: { cash: { uzs: '60.00' } } } },
      },
      { id: card?.id, ...items[1], ...posting, additional: after },
    ],
  });
  expect(body).not.toHaveProperty('posting_ids');
  expect(await tillMoneyOf(till, till.cashboxId)).toBe(40);
  expect(await tillMoneyOf(till, till.cashboxId, 'card', 'usd')).toBe(0);
  expect(await tillMoneyOf(till, till.mainId)).toBe(0);
  const { body: listed } = await call(`GET ${COLLECTIONS}`, { token: till.token });
  expect(listed).toMatchObject({
    data: [
      {
        id,
        cashbox: { name: 'Desk 1' },
        transactions_data: [{ id: cash?.id }, { id: card?.id, additional: after }],
      },
    ],
  });
});

test('what a desk has on hold stands in its later postings too, until it is confirmed', async () => {
  const till = await newTill(100);
  const id = newIdOf(await collectFromTill(till, 60));
  const held = { additional: { on_hold_after: { outcome: { cash: { uzs: '60.00' } } } } };
  expect(await operate(till, 'outcome', 10)).toMatchObject({ body: held });
  await confirmOf(till, id);
  expect(await operate(till, 'outcome', 10)).toMatchObject({ body: { additional: { on_hold_after: [] } } });
});

test('a collection names its desk and its money, each kind once; all errors are reported at once', async () => {
  const till = await newTill(100);
  const request = `POST ${COLLECTIONS}`;
  const cash = { payment_type: 'cash', currency: 'uzs', amount: 1 };
  expect(await errorsOf(request, till.token, {})).toEqual({ cashbox_id: REQUIRED, items: REQUIRED });
  const fields = async (json: object) =>
    Object.keys(await errorsOf(request, till.token, { cashbox_id: till.cashboxId, ...json }));
  expect(await fields({ items: [] })).toEqual(['items']);
  expect(await fields({ items: Array.from({ length: 21 }, () => cash) })).toContain('items');
  expect(await fields({ items: [cash, cash] })).toEqual(['items.1.payment_type']);
  expect(await fields({ items: [{}] })).toEqual([
    'items.0.payment_type',
    'items.0.currency',
    'items.0.amount',
  ]);
  for (const amount of [0, 0.001, 1_000_000_000_000]) {
    expect(await fields({ items: [{ ...cash, amount }] })).toEqual(['items.0.amount']);
  }
  expect(await fields({ items: [cash], comment: 'x'.repeat(1001) })).toEqual(['comment']);
  const much = [
    { ...cash, amount: 100.01 },
    { ...cash, payment_type: 'bank' },
  ];
  const short = (available: number) =>
    translate('ru', { key: 'cashbox.not_enough_money', with: { available } });
  const wrong = { cashbox_id: till.cashboxId, creator_id: 999_999_999, items: much };
  expect(await errorsOf(request, till.token, wrong)).toEqual({
    creator_id: NOT_FOUND,
    'items.0.amount': short(100),
    'items.1.amount': short(0),
  });
  expect(await errorsOf(request, till.token, { ...wrong, cashbox_id: 99 })).toEqual({
    cashbox_id: NOT_FOUND,
    creator_id: NOT_FOUND,
  });
});

test('the employee who hands the money over is of the family', async () => {
  const till = await newTill(100);
  const place = { company_id: till.companyId, family_id: till.companyId };
  const { id: cashier } = await insertUser({ type: 'employee', ...place });
  const reply = await collectFromTill(till, 10, { creator_id: cashier });
  expect(reply).toMatchObject({
    body: { creator_id: cashier, transactions_data: [{ creator_id: till.directorId }] },
  });
  const stranger = await newFamily();
  const json = { creator_id: stranger.directorId };
  expect(await collectFromTill(till, 10, json)).toMatchObject({
    status: 422,
    body: { errors: { creator_id: [NOT_FOUND] } },
  });
});

test('the main desk is not collected: 422 on cashbox_id (Contract 9.41)', async () => {
  const till = await newTill();
  await operate(till, 'income', 100, { cashbox_id: till.mainId });
  expect(await collectFromTill(till, 10, { cashbox_id: till.mainId })).toMatchObject({
    status: 422,
    body: { errors: { cashbox_id: [translate('ru', { key: 'collection.from_main_cashbox' })] } },
  });
});

test('a company without a main desk is not collected: 400', async () => {
  const till = await newTill(100);
  const json = { name: 'Бывшая главная', type: 'sale' };
  expect((await call(`PUT ${DESKS}/${till.mainId}`, { token: till.token, json })).status).toBe(200);
  expect(await collectFromTill(till, 10)).toMatchObject(errorWith('collection.no_main_cashbox'));
  expect(await tillMoneyOf(till, till.cashboxId)).toBe(100);
});

test('a collection to a desk that is not the main one any more is not confirmed, but canceled: 400', async () => {
  const till = await newTill(100);
  const reply = await collectFromTill(till, 60);
  const rename = (cashbox: number, json: object) =>
    call(`PUT ${DESKS}/${cashbox}`, { token: till.token, json });
  expect((await rename(till.mainId, { name: 'Бывшая главная', type: 'sale' })).status).toBe(200);
  await make(DESKS, till.token, { name: 'Новая главная', type: 'main' });
  expect(await confirmOf(till, newIdOf(reply))).toMatchObject(errorWith('collection.main_cashbox_changed'));
  expect((await cancelOf(till, reply.number(POSTING))).status).toBe(200);
  expect(await tillMoneyOf(till, till.cashboxId)).toBe(100);
});

test('a desk of a branch is collected to the main desk of the branch', async () => {
  const till = await newTill();
  const branch = await newCompany(till.companyId);
  const desk = await make(DESKS, till.token, { name: 'Филиал', type: 'sale', company_id: branch });
  await operate(till, 'income', 50, { cashbox_id: desk });
  const id = newIdOf(await collectFromTill(till, 50, { cashbox_id: desk }));
  const confirmed = await confirmOf(till, id);
  expect(confirmed).toMatchObject({ status: 200, body: { company_id: branch, status: 'completed' } });
  expect(await tillMoneyOf(till, till.mainId)).toBe(0);
  const [main] = await idsOf(DESKS, till.token, `filter[company_id]=${branch}&filter[type]=main`);
  expect(await tillMoneyOf(till, main ?? 0)).toBe(50);
});

test('a confirmation is an income of the main desk, and completes the postings (Contract 2)', async () => {
  const till = await newTill(100);
  const collected = await collectFromTill(till, 60, { comment: 'Вечер' });
  const [id, posting] = [newIdOf(collected), collected.number(POSTING)];
  const { status, body } = await confirmOf(till, id);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    id,
    status: 'completed',
    received_by_id: till.directorId,
    transactions_data: [{ id: posting, status: 'completed', type: 'outcome' }],
  });
  expect([await tillMoneyOf(till, till.cashboxId), await tillMoneyOf(till, till.mainId)]).toEqual([40, 60]);
  const received = await postingsAt(till, till.mainId);
  expect(received).toMatchObject([
    {
      type: 'income',
      amount: 60,
      status: 'completed',
      source_type: 'collection',
      source_id: id,
      source_data: { collection_id: id, code: `#${id}` },
      comment: 'Вечер',
      additional: { balances_after: { cash: { uzs: '60.00' } } },
    },
  ]);
  expect(await confirmOf(till, id)).toMatchObject(errorWith('collection.not_on_hold'));
  const income = received[0]?.id ?? 0;
  for (const each of [posting, income]) {
    expect(await cancelOf(till, each)).toMatchObject(errorWith('collection.not_on_hold'));
  }
  expect(await reverseOf(till, posting)).toMatchObject(errorWith('operation.not_manual'));
  const found = (query: string) => idsOf(OPERATIONS, till.token, query);
  expect(await found(`filter[source_type]=collection&filter[source_id]=${id}`)).toEqual([posting, income]);
  expect((await call(`PATCH ${COLLECTIONS}/99/confirm`, { token: till.token })).status).toBe(404);
});

test('a collection is canceled as a whole, by any of its postings, while it is on hold (Contract 9.36)', async () => {
  const till = await newTill(100);
  await operate(till, 'income', 5, { payment_type: 'bank' });
  const items = [
    { payment_type: 'cash', currency: 'uzs', amount: 60 },
    { payment_type: 'bank', currency: 'uzs', amount: 5 },
  ];
  const collected = await collect(till, items);
  const id = newIdOf(collected);
  const [cash, bank] = [collected.number(POSTING), collected.number('transactions_data.1.id')];
  expect(await reverseOf(till, bank)).toMatchObject(errorWith('operation.not_manual'));
  expect(await cancelOf(till, bank, 'Пересчитать')).toMatchObject({
    status: 200,
    body: { message: 'Успешно' },
  });
  const canceled = { status: 'canceled', cancel_comment: 'Пересчитать' };
  const { body } = await call(`GET ${COLLECTIONS}`, { token: till.token });
  expect(body).toMatchObject({ data: [{ id, ...canceled, transactions_data: [canceled, canceled] }] });
  expect(await tillMoneyOf(till, till.cashboxId)).toBe(100);
  expect(await tillMoneyOf(till, till.cashboxId, 'bank')).toBe(5);
  expect(await cancelOf(till, cash)).toMatchObject(errorWith('collection.not_on_hold'));
  expect(await confirmOf(till, id)).toMatchObject(errorWith('collection.not_on_hold'));
  expect(await operate(till, 'income', 1)).toMatchObject({ body: { additional: { on_hold_after: [] } } });
});

test('a desk with money on hold is neither deleted nor given to another company: 400', async () => {
  const till = await newTill(100);
  const id = newIdOf(await collectFromTill(till, 100));
  const desk = `${DESKS}/${till.cashboxId}`;
  const branch = await newCompany(till.companyId);
  const json = { name: 'Desk 1', type: 'sale', company_id: branch };
  expect((await call(`DELETE ${desk}`, { token: till.token })).status).toBe(400);
  expect((await call(`PUT ${desk}`, { token: till.token, json })).status).toBe(400);
  await confirmOf(till, id);
  expect((await call(`DELETE ${desk}`, { token: till.token })).status).toBe(200);
});

test('who reaches the sale desk collects and cancels, who reaches the main desk confirms', async () => {
  const till = await newTill(100);
  const right = ['company.cashbox.operation.*'];
  const at = (cashbox_ids: number[]) =>
    newEmployee(till, right, { are_all_companies_available: true, cashbox_ids });
  const cashier = { ...till, token: await at([till.cashboxId]) };
  const treasurer = { ...till, token: await at([till.mainId]) };
  const nobody = { ...till, token: await at([]) };
  const collected = await collectFromTill(cashier, 60);
  const id = newIdOf(collected);
  expect(await collectFromTill(treasurer, 1)).toMatchObject({ status: 422 });
  for (const { token } of [cashier, treasurer]) expect(await idsOf(COLLECTIONS, token)).toEqual([id]);
  expect(await idsOf(COLLECTIONS, nobody.token)).toEqual([]);
  const refusal = { status: 403, body: { message: translate('ru', { key: 'collection.not_receiver' }) } };
  expect(await confirmOf(cashier, id)).toMatchObject(refusal);
  expect((await confirmOf(nobody, id)).status).toBe(404);
  expect((await cancelOf(treasurer, collected.number(POSTING))).status).toBe(404);
  expect((await confirmOf({ ...till, token: (await newFamily()).director }, id)).status).toBe(404);
  expect((await confirmOf(treasurer, id)).status).toBe(200);
});

test('rights are those of Contract 9.60', async () => {
  const till = await newTill(100);
  const given = { are_all_companies_available: true, cashbox_ids: [till.cashboxId, till.mainId] };
  const of = async (right: string) => ({ ...till, token: await newEmployee(till, [right], given) });
  const [collector, reader, receiver] = [
    await of('company.cashbox.operation.collection'),
    await of('company.cashbox.operation.collection.index'),
    await of('company.cashbox.operation.collection.confirm'),
  ];
  expect((await collectFromTill(reader, 1)).status).toBe(403);
  const id = newIdOf(await collectFromTill(collector, 1));
  expect((await call(`GET ${COLLECTIONS}`, { token: collector.token })).status).toBe(403);
  expect((await call(`GET ${COLLECTIONS}`, { token: reader.token })).status).toBe(200);
  expect((await confirmOf(collector, id)).status).toBe(403);
  expect((await confirmOf(receiver, id)).status).toBe(200);
});

test('collections have filters, and a workbook', async () => {
  const till = await newTill(100);
  const confirmed = (await collectFromTill(till, 10)).number('id');
  const waiting = (await collectFromTill(till, 20, { comment: 'Обед' })).number('id');
  await confirmOf(till, confirmed);
  const found = (query: string) => idsOf(COLLECTIONS, till.token, query);
  expect(await found('filter[status]=completed')).toEqual([confirmed]);
  expect(await found('filter[status]=on_hold')).toEqual([waiting]);
  expect(await found(`filter[cashbox_id]=${till.cashboxId}`)).toEqual([confirmed, waiting]);
  expect(await found(`filter[main_cashbox_id]=${till.mainId}&filter[id]=${waiting}`)).toEqual([waiting]);
  const { rows } = await downloadSheet(`${COLLECTIONS}?format=excel`, till.token);
  expect(rows[1]).toEqual([
    waiting,
    expect.any(Date),
    'Ожидает подтверждения',
    'Savdo',
    'Desk 1',
    'Test',
    20,
    null,
    null,
    null,
    'Обед',
  ]);
});

test('a repeated collection and a repeated confirmation are answered again and made once', async () => {
  const till = await newTill(100);
  const items = [{ payment_type: 'cash', currency: 'uzs', amount: 60 }];
  const sendTwice = async (request: string, json: object, key: string) => {
    const headers = { 'Idempotency-Key': key };
    const send = () => call(request, { token: till.token, json, headers });
    const [first, second] = [await send(), await send()];
    expect(first.status).toBe(200);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    return first;
  };
  const json = { cashbox_id: till.cashboxId, items };
  const id = newIdOf(await sendTwice(`POST ${COLLECTIONS}`, json, 'collection-0'));
  await sendTwice(`PATCH ${COLLECTIONS}/${id}/confirm`, {}, 'collection-1');
  expect([await tillMoneyOf(till, till.cashboxId), await tillMoneyOf(till, till.mainId)]).toEqual([40, 60]);
});

test('of a cancel and confirmations of a collection at once, one wins', async () => {
  const till = await newTill(300);
  for (let round = 0; round < 3; round++) {
    const reply = await collectFromTill(till, 60);
    const posting = (await postingsAt(till, till.cashboxId)).at(-1)?.id ?? 0;
    const id = newIdOf(reply);
    const replies = await Promise.all([cancelOf(till, posting), confirmOf(till, id), confirmOf(till, id)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    const sums = [await tillMoneyOf(till, till.cashboxId), await tillMoneyOf(till, till.mainId)];
    expect(sums.reduce((sum = 0, each = 0) => sum + each, 0)).toBe(300);
  }
});

test('collections of one desk at once never take more than it has', async () => {
  const till = await newTill(100);
  const replies = await Promise.all([1, 2, 3].map(() => collectFromTill(till, 40)));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 422]);
  expect(await tillMoneyOf(till, till.cashboxId)).toBe(20);
});

const CASH_ROW = { payment_type: 'cash', currency: 'uzs' };
const DIFFERENCE = 'company.cashbox.operation.collection.difference';

function confirmCounted(token: string, id: number, json: object, headers = {}) {
  return call(`PATCH ${COLLECTIONS}/${id}/confirm`, { token, json, headers });
}

test('what was counted less or more is posted after what was sent, and shown by the collection (Part 5, 5A.5 (4))', async () => {
  const till = await newTill(100);
  const { token, mainId } = till;
  await operate(till, 'income', 7.5, { payment_type: 'card', currency: 'usd' });
  const card = { payment_type: 'card', currency: 'usd' };
  const id = newIdOf(
    await collect(till, [
      { ...CASH_ROW, amount: 60 },
      { ...card, amount: 7.5 },
    ]),
  );
  const counted = [
    { ...CASH_ROW, amount: 59.5 },
    { ...card, amount: 8 },
  ];
  const differences = [
    { ...CASH_ROW, amount: -0.5 },
    { ...card, amount: 0.5 },
  ];
  const reply = await confirmCounted(token, id, { items: counted, comment: 'Пересчитали' });
  expect(reply).toMatchObject({ status: 200, body: { status: 'completed', differences } });
  const postings = await postingsAt(till, mainId);
  const difference = { source_type: 'collection_difference', source_id: id, comment: 'Пересчитали' };
  const data = { source_data: { collection_id: id, code: `#${id}` }, status: 'completed' };
  expect(postings).toMatchObject([
    { ...CASH_ROW, ...data, type: 'income', amount: 60, source_type: 'collection', comment: null },
    { ...card, ...data, type: 'income', amount: 7.5, source_type: 'collection' },
    { ...CASH_ROW, ...data, ...difference, type: 'outcome', amount: 0.5 },
    { ...card, ...data, ...difference, type: 'income', amount: 0.5 },
  ]);
  expect([await tillMoneyOf(till, mainId), await tillMoneyOf(till, mainId, 'card', 'usd')]).toEqual([
    59.5, 8,
  ]);
  const listed = await call(`GET ${COLLECTIONS}`, { token });
  expect(listed.body).toMatchObject({ data: [{ id, differences }] });
  const copied = await call('GET /company/sync?types[]=cashbox.operation.collection', { token });
  expect(copied.body).toMatchObject({ data: [{ record: { id, differences } }] });
  const named = await call(
    `GET ${DESKS}/${mainId}/transfers?filter[source_type]=collection_difference&with[]=source`,
    {
      token,
    },
  );
  expect(named.body).toMatchObject({ data: [{ source: { id, code: `#${id}` } }, { source: { id } }] });
  expect(await violationsOf(till.companyId)).toEqual([]);
});

test('kinds that are not named are as sent, none without a body (Part 5, 5A.5 (4))', async () => {
  const till = await newTill(100);
  await operate(till, 'income', 5, { payment_type: 'card' });
  const id = newIdOf(
    await collect(till, [
      { ...CASH_ROW, amount: 60 },
      { ...CASH_ROW, payment_type: 'card', amount: 5 },
    ]),
  );
  const json = { items: [{ ...CASH_ROW, amount: 0 }], comment: 'Пустой мешок' };
  expect(await confirmCounted(till.token, id, json)).toMatchObject({
    body: { differences: [{ ...CASH_ROW, amount: -60 }] },
  });
  expect([await tillMoneyOf(till, till.mainId), await tillMoneyOf(till, till.mainId, 'card')]).toEqual([
    0, 5,
  ]);
  const plain = newIdOf(await collectFromTill(till, 10));
  expect(await confirmOf(till, plain)).toMatchObject({ status: 200, body: { differences: [] } });
});

test('a difference needs a comment, and a kind that was not sent is 422, all at once (Part 5, 5A.5 (4))', async () => {
  const till = await newTill(100);
  const id = newIdOf(await collectFromTill(till, 60));
  const items = [
    { ...CASH_ROW, amount: 59 },
    { payment_type: 'bank', currency: 'uzs', amount: 1 },
  ];
  const request = `PATCH ${COLLECTIONS}/${id}/confirm`;
  expect(await errorsOf(request, till.token, { items })).toEqual({
    'items.1.payment_type': translate('ru', { key: 'collection.not_sent' }),
    comment: REQUIRED,
  });
  const twice = { items: [items[0], items[0]], comment: 'x' };
  expect(Object.keys(await errorsOf(request, till.token, twice))).toEqual(['items.1.payment_type']);
  const below = { items: [{ ...CASH_ROW, amount: -1 }], comment: 'x' };
  expect(Object.keys(await errorsOf(request, till.token, below))).toEqual(['items.0.amount']);
  expect(await confirmCounted(till.token, id, { items: [{ ...CASH_ROW, amount: 60 }] })).toMatchObject({
    status: 200,
    body: { differences: [] },
  });
});

test('to confirm with a difference needs a right of its own (Part 5, 5A.5 (4))', async () => {
  const till = await newTill(100);
  const confirming = ['company.cashbox.operation.collection.confirm'];
  const [plain, counter] = await Promise.all([
    newEmployee(till, confirming, { cashbox_ids: [till.mainId] }),
    newEmployee(till, [...confirming, DIFFERENCE], { cashbox_ids: [till.mainId] }),
  ]);
  const id = newIdOf(await collectFromTill(till, 60));
  const short = { items: [{ ...CASH_ROW, amount: 59 }], comment: 'Недостача' };
  expect(await confirmCounted(plain, id, short)).toMatchObject({ status: 403, body: { right: DIFFERENCE } });
  expect((await confirmCounted(counter, id, short)).status).toBe(200);
});

test('a difference is neither returned nor canceled: 400 (Part 5, 5.0 (2))', async () => {
  const till = await newTill(100);
  const id = newIdOf(await collectFromTill(till, 60));
  await confirmCounted(till.token, id, { items: [{ ...CASH_ROW, amount: 61 }], comment: 'Больше' });
  const posting = (await postingsAt(till, till.mainId)).at(-1)?.id ?? 0;
  expect(await reverseOf(till, posting)).toMatchObject(errorWith('operation.not_manual'));
  expect(await cancelOf(till, posting)).toMatchObject(errorWith('operation.not_manual'));
});

test('a confirmation with a difference that is sent again posts once (Part 5, 5A.5 (4))', async () => {
  const till = await newTill(100);
  const id = newIdOf(await collectFromTill(till, 60));
  const json = { items: [{ ...CASH_ROW, amount: 58 }], comment: 'Недостача' };
  const headers = { 'Idempotency-Key': 'counted' };
  const replies = await Promise.all([1, 2].map(() => confirmCounted(till.token, id, json, headers)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200]);
  expect(await tillMoneyOf(till, till.mainId)).toBe(58);
  expect(await violationsOf(till.companyId)).toEqual([]);
});
