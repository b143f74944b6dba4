import { expect, test } from 'vitest';
import { translate } from '#lib/values/message.ts';
import { addClient, onDebt } from '#tests/support/clients.ts';
import { mainDeskIn, newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { newProgramKey } from '#tests/support/program-keys.ts';
import { errorsOf, errorWith, idsOf, make, NOT_FOUND } from '#tests/support/records.ts';
import { back, linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { beginShift, endShift, newShiftShop, SHIFTS, tryToClose, tryToOpen } from '#tests/support/shifts.ts';
import { addMoney, cashOf, newGoods, newShop, type Shop, saleBody, sellOne } from '#tests/support/shop.ts';
import { insertUser } from '#tests/support/users.ts';

const WATER = [{ quantity: 100, cost: 3000 }];

const CASH = { payment_type: 'cash', currency: 'uzs' } as const;

const SHIFT = 'company.trade.cashbox-shift';

const CASHIER = [
  ...['close', 'current', 'expense', 'index', 'show', 'store'].map((word) => `${SHIFT}.${word}`),
  `${SHIFT}.expense-reasons.*`,
  'company.trade.sale.*',
  'company.trade.cashbox.cheque.update',
];

/** Creates an employee who may work at the shop's desk, and returns a token. */
function newCashier({ companyId, cashboxId, stockId }: Shop, rights = CASHIER): Promise<string> {
  return newEmployee({ companyId }, rights, { cashbox_ids: [cashboxId], stock_ids: [stockId] });
}

function current({ director: token }: Pick<Shop, 'director'>) {
  return call(`GET ${SHIFTS}/current`, { token });
}

test('a shift is opened with change, holds what moves, and is closed by a count (Contract 9.45, 9.62)', async () => {
  const shop = await newShiftShop();
  const { director: token, directorId, companyId, cashboxId, stockId } = shop;
  const id = await newGoods(shop, WATER);
  await addMoney(shop, { cash_uzs: 200_00, bank_usd: 5_00 });
  const opened = await tryToOpen(shop, {
    opening_balances: [{ ...CASH, amount: 1000 }],
    opening_comment: 'Размен',
  });
  const shift = opened.number('id');
  const record = {
    id: shift,
    ...{ creator_id: directorId, company_id: companyId, cashbox_id: cashboxId, stock_id: stockId },
    ...{ opening_amount: 1000, opening_currency: 'uzs', opening_comment: 'Размен' },
    opening_balances: [{ ...CASH, amount: 1000 }],
    ...{ closes_at: null, closes_in: null, overdue_action: null },
    company: { id: companyId },
    creator: { id: directorId },
  };
  const openNow = { status: 'open', closed_by_id: null, closed_at: null, closing_action: null };
  expect(opened).toMatchObject({ status: 200, body: { ...record, ...openNow, collection_id: null } });
  expect(await cashOf(shop)).toBe(1200);

  const sale = (await sellOne(shop, id, 2, 5000)).number('id');
  const [line] = await linesOfSale(shop, sale);
  await sendReturn(shop, sale, back({ [line?.id ?? 0]: 1 }, 5000));
  const expected = { opening: 1200, income: 10_000, outcome: 5000, expected: 6200 };
  expect((await current(shop)).body).toMatchObject({
    data: {
      id: shift,
      status: 'open',
      summary: { totals: [{ currency: 'uzs', ...expected }, { currency: 'usd' }] },
    },
    settings: { is_enabled: true },
  });

  const actuals = [{ ...CASH, payment_type_id: 7, amount: 6150.5 }];
  const closed = await endShift(shop, shift, { actuals, closing_comment: 'Не хватает' });
  const count = { actual: 6150.5, difference: -49.5, transferred: 0, left: 6150.5 };
  expect(closed).toMatchObject({
    ...record,
    ...{ status: 'closed', closed_by_id: directorId, closing_action: 'keep', closing_comment: 'Не хватает' },
    collection_id: null,
    open_cheques: [],
  });
  expect(closed.summary).toEqual({
    currency: 'uzs',
    deposits: [],
    rows: [
      {
        ...{ ...CASH, payment_type_id: 7, payment_type_name: 'Наличные' },
        ...{ opening_balance: 200, opening_amount: 1000, ...expected, ...count },
        by_source: [
          { source_type: 'sale', income: 10_000, outcome: 0 },
          { source_type: 'sale_return', income: 0, outcome: 5000 },
        ],
      },
      {
        ...{ payment_type: 'bank', currency: 'usd', payment_type_id: null, payment_type_name: 'Банк' },
        ...{ opening_balance: 5, opening_amount: 0, opening: 5, income: 0, outcome: 0, expected: 5 },
        ...{ by_source: [], actual: 5, difference: 0, transferred: 0, left: 5 },
      },
    ],
    totals: [
      { currency: 'uzs', ...expected, ...count, cash: 6150.5, non_cash: 0 },
      {
        ...{ currency: 'usd', opening: 5, income: 0, outcome: 0, expected: 5 },
        ...{ actual: 5, difference: 0, transferred: 0, left: 5, cash: 0, non_cash: 5 },
      },
    ],
    checks_count: 1,
    returns_count: 1,
    debts: [],
    transactions: [
      { source_type: 'shift', ...CASH, type: 'income', count: 1, amount: 1000 },
      { source_type: 'shift', ...CASH, type: 'outcome', count: 1, amount: 49.5 },
      { source_type: 'sale', ...CASH, type: 'income', count: 1, amount: 10_000 },
      { source_type: 'sale_return', ...CASH, type: 'outcome', count: 1, amount: 5000 },
    ],
  });
  expect(await cashOf(shop)).toBe(6150.5);
  expect((await current(shop)).body).toMatchObject({ data: null });
  const { open_cheques: _, ...shown } = closed;
  expect((await call(`GET ${SHIFTS}/${shift}`, { token })).body).toEqual(shown);
});

test('the names of kinds of money are in the caller’s language', async () => {
  const shop = await newShiftShop();
  const { id } = await endShift(shop, await beginShift(shop));
  const { body } = await call(`GET ${SHIFTS}/${id}`, {
    token: shop.director,
    headers: { 'accept-language': 'oz' },
  });
  expect(body).toMatchObject({ summary: { rows: [{ payment_type_name: 'Naqd' }] } });
});

test('where shifts are not enabled, none is opened (Contract 9.44)', async () => {
  const shop = await newShop();
  expect(await tryToOpen(shop)).toMatchObject(errorWith('shift.not_enabled'));
});

test('a desk and a warehouse for a shift must be there, for sales, and of one company', async () => {
  const shop = await newShiftShop();
  const request = `POST ${SHIFTS}`;
  const { director: token, cashboxId: cashbox_id, stockId: stock_id } = shop;
  expect(await errorsOf(request, token, { cashbox_id: 99, stock_id: 99 })).toEqual({
    cashbox_id: NOT_FOUND,
    stock_id: NOT_FOUND,
  });
  expect(await errorsOf(request, token, { cashbox_id: await mainDeskIn(shop), stock_id })).toEqual({
    cashbox_id: translate('ru', { key: 'sale.cashbox_not_for_sales' }),
  });
  const twice = [CASH, CASH].map((kind) => ({ ...kind, amount: 1 }));
  expect(await errorsOf(request, token, { cashbox_id, stock_id, opening_balances: twice })).toEqual({
    'opening_balances.1.payment_type': translate('ru', { key: 'validation.duplicate' }),
  });
});

test('one shift a desk and one a user, also by two at once (Contract 9.46)', async () => {
  const shop = await newShiftShop();
  const { companyId } = shop;
  const other = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  const second = { type: 'director', company_id: companyId, family_id: companyId } as const;
  const { token } = await insertUser(second);
  const mine = await Promise.all([tryToOpen(shop), tryToOpen({ ...shop, cashboxId: other })]);
  expect(mine.map(({ status }) => status).sort()).toEqual([200, 400]);
  const free = mine[0]?.status === 200 ? other : shop.cashboxId;
  const taken = mine[0]?.status === 200 ? shop.cashboxId : other;
  expect((await tryToOpen({ ...shop, director: token, cashboxId: taken })).body).toMatchObject({
    message: translate('ru', { key: 'shift.desk_taken' }),
  });
  expect((await tryToOpen({ ...shop, cashboxId: free })).body).toMatchObject({
    message: translate('ru', { key: 'shift.already_open' }),
  });
  const third = await insertUser(second);
  const theirs = await Promise.all(
    [token, third.token].map((director) => tryToOpen({ ...shop, director, cashboxId: free })),
  );
  expect(theirs.map(({ status }) => status).sort()).toEqual([200, 400]);
});

test('a cashier sees and closes their own shifts, a director all (Contract 9.46)', async () => {
  const shop = await newShiftShop();
  const [cashier, other] = await Promise.all([newCashier(shop), newCashier(shop)]);
  const id = await beginShift({ ...shop, director: cashier });
  const listOf = async (token: string) => (await call(`GET ${SHIFTS}`, { token })).body;
  expect(await listOf(other)).toMatchObject({ data: [], meta: { total: 0 } });
  expect(await listOf(cashier)).toMatchObject({ data: [{ id, status: 'open', summary: { rows: [{}] } }] });
  expect(await listOf(shop.director)).toMatchObject({ data: [{ id }] });
  expect((await call(`GET ${SHIFTS}/${id}`, { token: other })).status).toBe(404);
  expect((await tryToClose({ ...shop, director: other }, id)).status).toBe(404);
  expect((await current({ director: other })).body).toMatchObject({ data: null });
  const closed = await endShift(shop, id);
  expect(closed).toMatchObject({ closed_by_id: shop.directorId });
  expect((await tryToClose({ ...shop, director: cashier }, id)).body).toMatchObject({
    message: translate('ru', { key: 'shift.not_open' }),
  });
  expect(await beginShift({ ...shop, director: cashier })).toBe(id + 1);
});

test('company.trade.cashbox-shift.all opens list and one of the shifts of the desks open to its holder; closing stays as it is (Contract 9.141)', async () => {
  const shop = await newShiftShop();
  const away = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  const accountant = await newCashier(shop, [...CASHIER, `${SHIFT}.all`]);
  const without = await newEmployee(shop, [`${SHIFT}.all`], { cashbox_ids: [shop.cashboxId] });
  const { key } = await newProgramKey(shop, CASHIER, { cashbox_ids: [shop.cashboxId] });
  const { key: blind } = await newProgramKey(shop, CASHIER);
  const cashier = await newCashier(shop);
  const id = await beginShift({ ...shop, director: cashier });
  await beginShift({ ...shop, cashboxId: away });
  for (const token of [accountant, key]) {
    expect(await idsOf(SHIFTS, token)).toEqual([id]);
    const one = await call(`GET ${SHIFTS}/${id}`, { token });
    expect(one).toMatchObject({ status: 200, body: { id, summary: { rows: expect.anything() } } });
    expect((await call(`GET ${SHIFTS}/${id + 1}`, { token })).status).toBe(404);
    expect((await tryToClose({ ...shop, director: token }, id)).status).toBe(404);
    const expense = { reason_id: 1, payment_type: 'cash', currency: 'uzs', amount: 1 };
    expect((await call(`POST ${SHIFTS}/${id}/expense`, { token, json: expense })).status).toBe(404);
  }
  expect(await idsOf(SHIFTS, blind)).toEqual([]);
  for (const path of [SHIFTS, `${SHIFTS}/${id}`])
    expect((await call(`GET ${path}`, { token: without })).status).toBe(403);
});

test('a key opens no shift: 403 (Contract 9.141, 9.145)', async () => {
  const shop = await newShiftShop();
  const places = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const { key } = await newProgramKey(shop, CASHIER, places);
  expect((await tryToOpen({ ...shop, director: key })).status).toBe(403);
  expect(await idsOf(SHIFTS, shop.director)).toEqual([]);
  await beginShift(shop);
});

test('an error in a count is reported at its field (Contract 9.47)', async () => {
  const shop = await newShiftShop();
  await addMoney(shop, { cash_uzs: 100_00 });
  const id = await beginShift(shop);
  const request = `PATCH ${SHIFTS}/${id}/close`;
  const wrong = (given: object) => errorsOf(request, shop.director, { closing_action: 'keep', ...given });
  expect(await wrong({ actuals: [{ ...CASH, amount: 99 }] })).toEqual({
    closing_comment: translate('ru', { key: 'shift.comment_required' }),
  });
  expect(await wrong({ actuals: [{ ...CASH, amount: -1 }], closing_comment: 'Долг' })).toEqual({
    'actuals.0.amount': translate('ru', { key: 'shift.negative_count' }),
  });
  const leave_amounts = [{ currency: 'uzs', amount: 101 }];
  expect(await wrong({ closing_action: 'transfer_part', leave_amounts })).toEqual({
    'leave_amounts.0.amount': translate('ru', { key: 'shift.leaves_too_much', with: { available: 100 } }),
  });
  expect(await wrong({ leave_amounts: [...leave_amounts, ...leave_amounts] })).toEqual({
    'leave_amounts.1.currency': translate('ru', { key: 'validation.duplicate' }),
  });
  expect(await wrong({ closing_action: 'burn' })).toHaveProperty('closing_action');
  // `leave_amounts` counts only with `transfer_part`.
  expect(await endShift(shop, id, { leave_amounts })).toMatchObject({ collection_id: null });
});

test('a surplus comes into the desk, and changes neither income nor what was expected (Contract 9.47)', async () => {
  const shop = await newShiftShop();
  const id = await beginShift(shop);
  const actuals = [{ payment_type: 'card', currency: 'usd', amount: 3.5 }];
  const { summary } = await endShift(shop, id, { actuals, closing_comment: 'Нашлось' });
  expect(summary.rows.find(({ currency }) => currency === 'usd')).toMatchObject({
    ...{ payment_type: 'card', income: 0, outcome: 0, expected: 0, actual: 3.5, difference: 3.5, left: 3.5 },
  });
  const { body } = await call(`GET /company/cashbox/cashbox/${shop.cashboxId}/transfers`, {
    token: shop.director,
  });
  expect(body).toMatchObject({
    data: [{ source_type: 'shift', source_id: id, shift_id: id, type: 'income', comment: 'Нашлось' }],
  });
});

test('debts, sales without money and sums by source are in the summary (Contract 9.50)', async () => {
  const shop = await newShiftShop();
  const { director: token } = shop;
  const [id, client] = await Promise.all([newGoods(shop, WATER), addClient(shop)]);
  const shift = await beginShift(shop);
  await call('POST /company/trade/sale', { token, json: onDebt(shop, client, id, 5000) });
  const mixed = [
    { payment_type: 'cash', amount: 3000 },
    { payment_type: 'card', amount: 2000 },
  ];
  const products = [{ product_id: id, sold_quantity: 1 }];
  await call('POST /company/trade/sale', { token, json: saleBody(shop, { products, transactions: mixed }) });
  const { summary } = await endShift(shop, shift);
  expect(summary).toMatchObject({
    rows: [
      { ...CASH, income: 3000, by_source: [{ source_type: 'sale', income: 3000, outcome: 0 }] },
      { payment_type: 'card', income: 2000 },
    ],
    totals: [{ currency: 'uzs', income: 5000, actual: 5000, cash: 3000, non_cash: 2000 }],
    ...{ checks_count: 2, returns_count: 0 },
    debts: [{ currency: 'uzs', given: 5000, repaid: 0, refunded: 0 }],
    transactions: [
      { source_type: 'sale', payment_type: 'cash', type: 'income', count: 1, amount: 3000 },
      { source_type: 'sale', payment_type: 'card', type: 'income', count: 1, amount: 2000 },
    ],
  });
});

test('closing names the open drafts of the desk and leaves them (Contract 9.51; Contract 9.64)', async () => {
  const shop = await newShiftShop();
  const { director: token, cashboxId, stockId: stock_id } = shop;
  const other = await make('/company/cashbox/cashbox', token, { name: 'Desk 2', type: 'sale' });
  const id = await beginShift(shop);
  const draft = (desk: number, number: number) => `/company/trade/cashbox/${desk}/cheque/${number}`;
  await call(`PUT ${draft(cashboxId, 2)}`, { token, json: { stock_id } });
  await call(`PUT ${draft(other, 3)}`, { token, json: { stock_id } });
  expect((await endShift(shop, id))['open_cheques']).toEqual([2]);
  expect((await call(`GET ${draft(cashboxId, 2)}`, { token })).body).toMatchObject({ stock_id });
});

test('a desk with an open shift is not deleted, and keeps its company and kind', async () => {
  const shop = await newShiftShop();
  const { director: token, cashboxId } = shop;
  await beginShift(shop);
  const path = `/company/cashbox/cashbox/${cashboxId}`;
  expect((await call(`DELETE ${path}`, { token })).status).toBe(400);
  const json = { name: 'Desk 1', type: 'main' };
  expect((await call(`PUT ${path}`, { token, json })).body).toMatchObject({
    message: translate('ru', { key: 'cashbox.shift_open' }),
  });
});

const REASONS = `${SHIFTS}/expense-reasons`;

/** Creates an expense of the shop's desks, and returns its id. */
function newExpense({ director: token }: Shop, name = 'Такси'): Promise<number> {
  return make(REASONS, token, { name });
}

test('an expense goes out of the shift’s desk and is counted in it', async () => {
  const shop = await newShiftShop();
  const { director: token, cashboxId } = shop;
  const reason_id = await newExpense(shop);
  const id = await beginShift(shop, { opening_balances: [{ ...CASH, amount: 100 }] });
  const request = `POST ${SHIFTS}/${id}/expense`;
  const json = { ...CASH, reason_id, amount: 60.5, comment: 'До склада' };
  expect(await call(request, { token, json })).toMatchObject({
    status: 200,
    body: {
      ...{ type: 'outcome', status: 'completed', source_type: 'reason', source_id: reason_id },
      ...{ shift_id: id, cashbox_id: cashboxId, amount: 60.5, comment: 'До склада' },
    },
  });
  // An expense above the desk's money: Contract 9.68.
  expect(await errorsOf(request, token, json)).toEqual({
    amount: translate('ru', { key: 'cashbox.not_enough_money', with: { available: 39.5 } }),
  });
  expect(await errorsOf(request, token, { ...json, amount: 1, reason_id: 99 })).toEqual({
    reason_id: NOT_FOUND,
  });
  const stranger = await newCashier(shop);
  expect((await call(request, { token: stranger, json })).status).toBe(404);
  const { summary } = await endShift(shop, id);
  expect(summary).toMatchObject({
    rows: [
      { outcome: 60.5, expected: 39.5, by_source: [{ source_type: 'reason', income: 0, outcome: 60.5 }] },
    ],
  });
  expect((await call(request, { token, json: { ...json, amount: 1 } })).body).toMatchObject({
    message: translate('ru', { key: 'shift.not_open' }),
  });
});

test('an expense’s reason is made once, and its group too, also by many at once in any spelling', async () => {
  const shop = await newShiftShop();
  const { director: token } = shop;
  const names = ['Такси до  склада', 'ТАКСИ до склада', ' такси ДО склада', 'Обед', 'обед'];
  const replies = await Promise.all(names.map((name) => call(`POST ${REASONS}`, { token, json: { name } })));
  expect(replies.map(({ status }) => status)).toEqual(names.map(() => 200));
  const list = await call(`GET ${REASONS}`, { token });
  const parent = { id: expect.any(Number), name: 'Расходы касс' };
  expect(list.body).toMatchObject({
    data: [
      { id: expect.any(Number), name: expect.stringMatching(/^обед$/i), parent },
      { name: expect.stringMatching(/^такси до +склада$/i), parent },
    ],
  });
  const all = await call('GET /company/cashbox/reason', { token });
  expect(all.body).toMatchObject({ meta: { total: 3 } });
});

test('an expense that stands elsewhere is the answer, and one that was deleted comes back', async () => {
  const shop = await newShiftShop();
  const { director: token } = shop;
  const json = { type: 'outcome', name: 'Транспорт' };
  const parent_id = await make('/company/cashbox/reason', token, json);
  const taxi = await make('/company/cashbox/reason', token, { ...json, name: 'Такси', parent_id });
  expect((await call(`POST ${REASONS}`, { token, json: { name: 'такси' } })).body).toEqual({
    ...{ id: taxi, name: 'Такси', parent: { id: parent_id, name: 'Транспорт' } },
  });
  const lunch = await newExpense(shop, 'Обед');
  const remove = (id: number) => call(`DELETE /company/cashbox/reason/${id}`, { token });
  expect((await remove(lunch)).status).toBe(200);
  expect(await newExpense(shop, 'Обед')).toBe(lunch);
  await remove(lunch);
  expect((await remove(lunch - 1)).status).toBe(200);
  expect(await newExpense(shop, 'Обед')).toBe(lunch);
  expect(await errorsOf(`POST ${REASONS}`, token, { name: ' ' })).toHaveProperty('name');
});

test('all money goes to the main desk by a collection on hold (Contract 9.48)', async () => {
  const shop = await newShiftShop();
  const { director: token, directorId } = shop;
  await addMoney(shop, { cash_uzs: 300_00, card_uzs: 50_00, cash_usd: 7_00 });
  const id = await beginShift(shop);
  const actuals = [{ ...CASH, amount: 310 }];
  const given = { closing_action: 'transfer_all', actuals, closing_comment: 'Лишние' };
  const closed = await endShift(shop, id, given);
  expect(closed).toMatchObject({
    collection_id: expect.any(Number),
    summary: {
      rows: [
        { ...CASH, expected: 300, actual: 310, difference: 10, transferred: 310, left: 0, outcome: 0 },
        { payment_type: 'cash', currency: 'usd', transferred: 7, left: 0 },
        { payment_type: 'card', currency: 'uzs', transferred: 50, left: 0 },
      ],
      totals: [{ currency: 'uzs', actual: 360, transferred: 360, left: 0, cash: 310, non_cash: 50 }, {}],
      transactions: [
        { source_type: 'collection', ...CASH, type: 'outcome', count: 1, amount: 310 },
        { source_type: 'collection', payment_type: 'cash', currency: 'usd', amount: 7 },
        { source_type: 'collection', payment_type: 'card', currency: 'uzs', amount: 50 },
        { source_type: 'shift', ...CASH, type: 'income', count: 1, amount: 10 },
      ],
    },
  });
  expect([await cashOf(shop), await cashOf(shop, 'card')]).toEqual([0, 0]);
  const collections = await call('GET /company/cashbox/operation/collection', { token });
  expect(collections.body).toMatchObject({
    data: [
      {
        ...{ id: closed.collection_id, status: 'on_hold', creator_id: directorId, comment: 'Лишние' },
        transactions_data: [{ shift_id: id, amount: 310 }, { amount: 7 }, { amount: 50 }],
      },
    ],
  });
  const confirmation = `PATCH /company/cashbox/operation/collection/${closed.collection_id}/confirm`;
  expect((await call(confirmation, { token })).status).toBe(200);
  expect(await cashOf({ ...shop, cashboxId: await mainDeskIn(shop) })).toBe(310);
});

test('a part of the cash is left, and all else goes to the main desk (Contract 9.47)', async () => {
  const shop = await newShiftShop();
  await addMoney(shop, { cash_uzs: 300_00, card_uzs: 50_00, cash_usd: 7_00 });
  const id = await beginShift(shop);
  const leave_amounts = [{ currency: 'uzs', amount: 120.5 }];
  const { summary } = await endShift(shop, id, { closing_action: 'transfer_part', leave_amounts });
  expect(summary).toMatchObject({
    rows: [
      { ...CASH, transferred: 179.5, left: 120.5 },
      { currency: 'usd', transferred: 7, left: 0 },
      { payment_type: 'card', transferred: 50, left: 0 },
    ],
  });
  expect(await cashOf(shop)).toBe(120.5);
});

test('a collection of nothing is none, and one needs a main desk (Contract 9.48)', async () => {
  const shop = await newShiftShop();
  const { director: token } = shop;
  const all = { closing_action: 'transfer_all' };
  expect(await endShift(shop, await beginShift(shop), all)).toMatchObject({ collection_id: null });
  await addMoney(shop, { cash_uzs: 100 });
  const id = await beginShift(shop);
  const json = { name: 'Бывшая главная', type: 'sale' };
  expect((await call(`PUT /company/cashbox/cashbox/${await mainDeskIn(shop)}`, { token, json })).status).toBe(
    200,
  );
  expect((await tryToClose(shop, id, all)).body).toMatchObject({
    message: translate('ru', { key: 'collection.no_main_cashbox' }),
  });
  expect((await tryToClose(shop, id)).status).toBe(200);
});

test('money of a canceled collection comes back in the shift that is open then', async () => {
  const shop = await newShiftShop();
  const { director: token, cashboxId } = shop;
  await addMoney(shop, { cash_uzs: 100_00 });
  await endShift(shop, await beginShift(shop), { closing_action: 'transfer_all' });
  const [collected] = await idsOf(`/company/cashbox/cashbox/${cashboxId}/transfers`, token);
  const id = await beginShift(shop);
  const canceling = { token, json: { cancel_comment: 'Не доехала' } };
  expect((await call(`PATCH /company/cashbox/operation/${collected}/cancel`, canceling)).status).toBe(200);
  const { summary } = await endShift(shop, id);
  expect(summary).toMatchObject({
    rows: [
      { opening: 0, income: 100, expected: 100, by_source: [{ source_type: 'collection', income: 100 }] },
    ],
  });
});

test('an open shift is closed once, however often the call is sent', async () => {
  const shop = await newShiftShop();
  await addMoney(shop, { cash_uzs: 100_00 });
  const id = await beginShift(shop);
  const given = {
    actuals: [{ ...CASH, amount: 90 }],
    closing_comment: 'Нет',
    closing_action: 'transfer_all',
  };
  const key = { 'idempotency-key': 'close-1' };
  const first = await tryToClose(shop, id, given, key);
  const again = await tryToClose(shop, id, given, key);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.body).toEqual(first.body);
  const { body } = await call(`GET /company/cashbox/cashbox/${shop.cashboxId}/transfers`, {
    token: shop.director,
  });
  expect(body).toMatchObject({ meta: { total: 2 } });
});
