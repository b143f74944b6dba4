import { expect, test } from 'vitest';
import { DESK_MONEY } from '#lib/cash/desk/money.ts';
import { counterKey } from '#lib/records/links/counters.ts';
import * as suppliers from '#lib/stock/supplier/supplier.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { translate } from '#lib/values/message.ts';
import { mainDeskIn, newFamily, newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { errorsOf, make, NOT_FOUND, REQUIRED } from '#tests/support/records.ts';
import { newCards, newWarehouse, receiveGoods } from '#tests/support/stock.ts';

const SUPPLIERS = '/company/stock/supplier';
const DESKS = '/company/cashbox/cashbox';
const CASH = { payment_type: 'cash', currency: 'uzs', amount: 60.25 };

/** Creates a family whose main desk has 100 sums in cash, and a supplier. */
async function newPayer() {
  const family = await newFamilyWithBranch();
  const token = family.director;
  const tenant = familyTenant(family.companyId);
  const cashbox_id = await mainDeskIn(family);
  await transact([update(counterKey(DESK_MONEY, tenant, cashbox_id), { add: { cash_uzs: 100_00 } })]);
  const id = await make(SUPPLIERS, token, { name: 'Ферма' });
  const payment = { cashbox_id, ...CASH };
  return { ...family, token, id, payment, cashbox_id, request: `POST ${SUPPLIERS}/${id}/payment` };
}

async function standing({ token, id, cashbox_id }: Awaited<ReturnType<typeof newPayer>>) {
  const [supplier, desk] = await Promise.all([
    call(`GET ${SUPPLIERS}/${id}`, { token }),
    call(`GET ${DESKS}/${cashbox_id}`, { token }),
  ]);
  return [supplier.body, desk.body];
}

test('a payment goes out of the desk and lowers what is owed', async () => {
  const payer = await newPayer();
  const { token, id, request, companyId, directorId, payment } = payer;
  const { status, body } = await call(request, { token, json: { ...payment, comment: 'Аванс' } });
  expect(body).toMatchObject({
    ...payment,
    id: expect.any(Number),
    type: 'outcome',
    status: 'completed',
    company_id: companyId,
    creator_id: directorId,
    source_type: 'supplier',
    source_id: id,
    comment: 'Аванс',
    additional: { balances_after: { cash: { uzs: '39.75' } } },
  });
  expect(status).toBe(200);
  expect(await standing(payer)).toMatchObject([
    { balances: { uzs: -60.25, usd: 0 } },
    { balances: { cash: { uzs: 39.75 } } },
  ]);
});

test('a desk never pays more than it has, whatever is paid at once', async () => {
  const payer = await newPayer();
  const { token, request, payment } = payer;
  const replies = await Promise.all([1, 2, 3].map(() => call(request, { token, json: payment })));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  expect(await errorsOf(request, token, payment)).toEqual({
    amount: 'В кассе недостаточно денег: доступно 39.75.',
  });
  expect(await errorsOf(request, token, { ...payment, amount: 1, currency: 'usd' })).toEqual({
    amount: 'В кассе недостаточно денег: доступно 0.',
  });
  expect(await standing(payer)).toMatchObject([
    { balances: { uzs: -60.25 } },
    { balances: { cash: { uzs: 39.75 } } },
  ]);
});

test('a payment names its desk, kind of money and amount; the desk is one open to the caller', async () => {
  const payer = await newPayer();
  const { token, request, branchDirector, payment } = payer;
  expect(await errorsOf(request, token, {})).toEqual({
    cashbox_id: REQUIRED,
    payment_type: REQUIRED,
    currency: REQUIRED,
    amount: REQUIRED,
  });
  expect(await errorsOf(request, branchDirector, payment)).toEqual({ cashbox_id: NOT_FOUND });
  expect(await errorsOf(request, token, { ...payment, cashbox_id: 99 })).toEqual({ cashbox_id: NOT_FOUND });
});

test('a supplier of another family, or a deleted one, is 404', async () => {
  const payer = await newPayer();
  const { token, id, request, payment } = payer;
  const stranger = await newFamily();
  expect((await call(request, { token: stranger.director, json: payment })).status).toBe(404);
  await call(`DELETE ${SUPPLIERS}/${id}`, { token });
  expect((await call(request, { token, json: payment })).status).toBe(404);
});

test('what is owed to a supplier is bounded on either side: 422 on the amount that would pass the bound', async () => {
  const { token, id, request, companyId, payment, ...family } = await newPayer();
  const tenant = familyTenant(companyId);
  const most = 99_999_999_999_999;
  const tooMuch = { amount: translate('ru', { key: 'balance.too_large', with: { max: most / 100 } }) };
  const add = (sum: number) =>
    transact([update(suppliers.supplierBalancesKey(tenant, id), { add: { uzs: sum } })]);
  await add(-most + 6025);
  expect((await call(request, { token, json: { ...payment } })).status).toBe(200);
  expect(await errorsOf(request, token, { ...payment, amount: 0.01 })).toEqual(tooMuch);
  await add(2 * most - 100);
  const [goods, stock_id] = await Promise.all([newCards({ companyId, ...family }, 1), newWarehouse(token)]);
  const products = [{ product_id: goods[0], quantity: 1, cost: 1 }];
  const receipt = { stock_id, supplier_id: id, currency: 'uzs', products };
  await receiveGoods(token, receipt);
  const draft = await make('/company/trade/purchase', token, receipt);
  expect(await errorsOf(`PATCH /company/trade/purchase/${draft}/complete`, token, {})).toEqual(tooMuch);
  expect((await call(`GET ${SUPPLIERS}`, { token })).body).toMatchObject({
    data: [{ balances: { uzs: most / 100 } }],
  });
});

test('a repeated payment is answered again and paid once', async () => {
  const payer = await newPayer();
  const { token, request, payment } = payer;
  const pay = () => call(request, { token, json: payment, headers: { 'Idempotency-Key': 'pay' } });
  const [first, second] = [await pay(), await pay()];
  expect(second.body).toEqual(first.body);
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(await standing(payer)).toMatchObject([{ balances: { uzs: -60.25 } }, {}]);
});
