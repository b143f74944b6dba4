import { expect, test } from 'vitest';
import { SALE_BATCHES } from '#lib/auth/rate-limit.ts';
import { MAX_WAITING } from '#lib/cash/desk/waiting.ts';
import { update } from '#lib/table/change/write.ts';
import { familyTenant, padId } from '#lib/table/keys.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { newCompany, newEmployee } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { offlineSaleBody, REFUSED, refuseOne, sendOfflineSales } from '#tests/support/offline.ts';
import { idsOf, make } from '#tests/support/records.ts';
import { newGoods, newShop } from '#tests/support/shop.ts';

const WATER = [{ quantity: 10, cost: 3000 }];
const STORE = 'company.trade.sale.store';

test('a kept sale follows its desk: who reaches that now sees it, in the company that it is of now (Part 4, 4.4 (5))', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const branch = await newCompany(shop.companyId);
  const cashboxId = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  const place = { ...shop, cashboxId };
  const rights = ['index', 'show', 'retry', 'dismiss'].map((each) => `company.trade.sale.refused.${each}`);
  const near = await newEmployee({ ...shop, companyId: branch }, [...rights, STORE], {
    family_id: shop.companyId,
    cashbox_ids: [cashboxId],
  });
  const own = await newEmployee(shop, rights, { cashbox_ids: [cashboxId] });
  const id = await refuseOne(place, product, 'till-1');
  const [sold] = await sendOfflineSales(place, [offlineSaleBody(place, product, 'till-2')]);
  const move = () =>
    call(`PUT /company/cashbox/cashbox/${cashboxId}`, {
      token: shop.director,
      json: { name: 'Desk 2', type: 'sale', company_id: branch },
    });
  const remove = () => call(`DELETE /company/cashbox/cashbox/${cashboxId}`, { token: shop.director });
  const out = { payment_type: 'cash', currency: 'uzs', amount: 5000 };
  await call('POST /company/cashbox/operation/transfer', {
    token: shop.director,
    json: { ...out, from_cashbox_id: cashboxId, to_cashbox_id: shop.cashboxId },
  });
  const waits = { status: 400, body: { code: 'cashbox.sales_wait' } };
  expect([await move(), await remove()]).toMatchObject([waits, waits]);
  expect([await idsOf(REFUSED, own), await idsOf(REFUSED, near)]).toEqual([[id], []]);
  expect((await call(`GET ${REFUSED}/${id}`, { token: near })).status).toBe(404);
  await call(`PATCH ${REFUSED}/${id}/dismiss`, { token: shop.director, json: { comment: 'Moved' } });
  expect((await move()).status).toBe(200);
  expect([await idsOf(REFUSED, own), await idsOf(REFUSED, near)]).toEqual([[], [id]]);
  expect((await call(`GET ${REFUSED}/${id}`, { token: own })).status).toBe(404);
  const embedded = `GET ${REFUSED}/${id}?with[]=cashbox&with[]=creator.profile`;
  expect(await call(embedded, { token: near })).toMatchObject({
    status: 200,
    body: { company_id: branch, cashbox: { id: cashboxId }, creator: { id: shop.directorId } },
  });
  const of = (company: number) => idsOf(REFUSED, shop.director, `filter[company_id]=${company}`);
  expect([await of(branch), await of(shop.companyId)]).toEqual([[id], []]);
  expect(await sendOfflineSales(place, [offlineSaleBody(place, product, 'till-1')], near)).toMatchObject([
    { status: 422, code: 'sale.dismissed', refused_id: id },
  ]);
  expect(await sendOfflineSales(place, [offlineSaleBody(place, product, 'till-2')], near)).toMatchObject([
    { status: 200, is_replayed: true, sale: { id: sold?.sale?.id } },
  ]);
  expect((await remove()).status).toBe(200);
});

test('at 5 000 that wait at a desk a new one is 429, not kept; what waits goes on (Part 4, 4.4 (5))', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const id = await refuseOne(shop, product, 'waits');
  const key = {
    pk: `refused-sales-waiting#${familyTenant(shop.companyId)}`,
    sk: padId(shop.cashboxId),
  };
  await transact([update(key, { set: { waiting: MAX_WAITING } })]);
  const wrong = { due_date: '2000-01-01' };
  expect(
    await sendOfflineSales(shop, [
      offlineSaleBody(shop, product, 'new', wrong),
      offlineSaleBody(shop, product, 'waits', wrong),
      offlineSaleBody(shop, product, 'fine'),
    ]),
  ).toMatchObject([
    { status: 429, code: 'sale.too_many_waiting', refused_id: null },
    { status: 422, refused_id: id },
    { status: 200 },
  ]);
  expect(await idsOf(REFUSED, shop.director)).toEqual([id]);
});

test('a user sends 60 batches in a fixed minute, then they are 429; others go on (Part 4, 4.4 (4))', async () => {
  const shop = await newShop();
  const colleague = await newEmployee(shop, [STORE]);
  const { name, max: most, seconds } = SALE_BATCHES;
  const send = (token: string) => call('POST /company/trade/sale/sync', { token, json: { sales: [{}] } });
  for (let isOneMinute = false; !isOneMinute; ) {
    const minute = Date.now() - (Date.now() % (seconds * 1000));
    const counts = [minute, minute + seconds * 1000].map((began) => ({
      pk: `throttle#${name}#${shop.directorId}`,
      sk: `since-${began}`,
    }));
    await transact(counts.map((key) => update(key, { set: { taken: most - 1 } })));
    const [last, beyond, other] = [
      await send(shop.director),
      await send(shop.director),
      await send(colleague),
    ];
    isOneMinute = Date.now() - minute < seconds * 1000;
    if (!isOneMinute) continue;
    expect([last.status, beyond.status, other.status]).toEqual([200, 429, 200]);
    expect(Number(beyond.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(most).toBe(60);
});
