import { expect, test } from 'vitest';
import * as z from 'zod';
import { userKey } from '#lib/auth/identify.ts';
import { update } from '#lib/table/change/write.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { renderInstant } from '#lib/values/time.ts';
import { newCompany, newEmployee, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  offlineSaleBody,
  REFUSED,
  readRefused,
  refuseOne,
  sendOfflineSales,
} from '#tests/support/offline.ts';
import { newProgramKey } from '#tests/support/program-keys.ts';
import { idsOf, make, NOT_FOUND } from '#tests/support/records.ts';
import { cashOf, newGoods, newShop, piecesOf, type Shop } from '#tests/support/shop.ts';
import { insertUser } from '#tests/support/users.ts';

const WATER = [{ quantity: 10, cost: 3000 }];
const STORE = 'company.trade.sale.store';
const LATE = 'company.trade.sale.late';

interface Told {
  readonly status: number;
  readonly code: unknown;
  readonly sale_id: unknown;
  readonly refused_id: unknown;
  readonly fields: readonly string[];
}

const Answer = z.looseObject({ errors: z.looseObject({}).nullish() });

function told(status: number, body: unknown): Told {
  const { code = null, sale_id = null, refused_id = null, errors } = Answer.parse(body);
  return { status, code, sale_id, refused_id, fields: Object.keys(errors ?? {}) };
}

/** Sends a sale by both calls, one after the other. */
async function sendByBoth(shop: Shop, json: object, token = shop.director): Promise<Told[]> {
  const [row] = await sendOfflineSales(shop, [json], token);
  const single = await call('POST /company/trade/sale', { token, json });
  return [told(row?.status ?? 0, row), told(single.status, single.body)];
}

/** Returns the token of an administrator who acts as a user. */
async function tokenAs(user: number): Promise<string> {
  const token = await newSuperAdministrator();
  const { body } = await call(`PATCH /admin/user/user/${user}/auth-as`, { token });
  return z.looseObject({ token: z.string() }).parse(body).token;
}

const UNREACHED = {
  ...{ status: 422, code: 'validation.not_found', sale_id: null, refused_id: null },
  fields: ['cashbox_id'],
};

test('of a desk that is not open to the sender nothing is revealed, stored or changed, for any key (Part 4, 4.4 (1))', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const { cashboxId, stockId } = shop;
  const id = await refuseOne(shop, product, 'waits');
  const dismissed = await refuseOne(shop, product, 'dismissed');
  await call(`PATCH ${REFUSED}/${dismissed}/dismiss`, { token: shop.director, json: { comment: 'No' } });
  await sendOfflineSales(shop, [offlineSaleBody(shop, product, 'sold')]);
  const before = [await readRefused(shop, id), await piecesOf(shop, product), await cashOf(shop)];
  const other = await make('/company/cashbox/cashbox', shop.director, { name: 'Desk 2', type: 'sale' });
  const branch = await newCompany(shop.companyId);
  const inBranch = { company_id: branch, family_id: shop.companyId, are_all_companies_available: false };
  const branchDirector = await insertUser({ type: 'director', ...inBranch });
  const strangers = [
    await newEmployee(shop, [STORE], { cashbox_ids: [other], stock_ids: [stockId] }),
    await newEmployee(shop, [STORE, LATE, 'company.trade.sale.creator'], {
      cashbox_ids: [],
      stock_ids: [stockId],
    }),
    await newEmployee({ ...shop, companyId: branch }, ['company.trade.sale.*'], {
      family_id: shop.companyId,
      cashbox_ids: [cashboxId],
      stock_ids: [stockId],
    }),
    (await newProgramKey(shop, [STORE], { cashbox_ids: [other], stock_ids: [stockId] })).key,
    await tokenAs(branchDirector.id),
  ];
  const early = { sold_at: renderInstant(Date.now() - 20 * 86_400_000) };
  for (const token of strangers) {
    const entries = ['waits', 'dismissed', 'sold', 'new'].map((key) => offlineSaleBody(shop, product, key));
    const readable = [...entries, ...entries.map((entry) => ({ ...entry, ...early }))];
    const unreadable = entries.map((entry) => ({ ...entry, discont: 5 }));
    const rows = await sendOfflineSales(shop, [...readable, ...unreadable], token);
    for (const row of rows) expect(row).toMatchObject({ status: 422, sale_id: null, refused_id: null });
    const fields = rows.map(({ errors }) => Object.keys(errors ?? {}));
    expect(fields.slice(readable.length)).toEqual(unreadable.map(() => ['discont']));
    for (const json of entries) {
      const single = await call('POST /company/trade/sale', { token, json });
      const answer = told(single.status, single.body);
      expect(answer).toMatchObject({ status: 422, sale_id: null, refused_id: null });
      fields.unshift([...answer.fields]);
    }
    for (const each of fields.slice(0, -unreadable.length)) expect(each).toContain('cashbox_id');
  }
  expect([await readRefused(shop, id), await piecesOf(shop, product), await cashOf(shop)]).toEqual(before);
  expect(await idsOf(REFUSED, shop.director)).toEqual([id, dismissed]);
  const nowhere = offlineSaleBody({ ...shop, cashboxId: 999_999 }, product, 'waits');
  expect(await sendByBoth(shop, nowhere)).toEqual([UNREACHED, UNREACHED]);
});

test('while it waits its body may have other prices, discounts, payments and ids that were wrong (Part 4, 4.4 (5))', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const unknown = { product_id: 999_999, sold_quantity: 2, price: 5000 };
  const first = offlineSaleBody(shop, product, 'till-1', {
    products: [{ product_id: product, sold_quantity: 3, price: 1 }, unknown],
    transactions: [{ payment_type: 'cash', amount: 1 }],
  });
  const [row] = await sendOfflineSales(shop, [first]);
  const id = z.int().parse(row?.refused_id);
  const found = await newGoods(shop, WATER);
  const line = (product_id: number, sold_quantity: number) => ({ product_id, sold_quantity, price: 4000 });
  const again = (products: object[], given: object = {}) =>
    offlineSaleBody(shop, product, 'till-1', { products, ...given });
  const another = await newGoods(shop, WATER);
  const others = [
    again([line(product, 4)]),
    again([line(product, 3), line(found, 3)]),
    again([line(product, 3), line(found, 1), line(another, 1)]),
    again([line(product, 3), unknown, line(found, 1)]),
    again([line(product, 1)], { sold_at: renderInstant(Date.now() - 7_200_000) }),
    again([line(product, 1)], { bundles: [{ bundle_id: 1, quantity: 1, price: 5000 }] }),
  ];
  const reused = { status: 409, code: 'sale.key_reused', sale_id: null, refused_id: id, fields: [] };
  for (const json of others) expect(await sendByBoth(shop, json)).toEqual([reused, reused]);
  const live = { ...again([line(product, 1)]), sold_at: null };
  expect(await sendByBoth(shop, live)).toEqual([reused, reused]);
  const twice = again([line(product, 2), line(product, 2)]);
  expect(await sendOfflineSales(shop, [{ ...others[0], discont: 5 }, twice])).toMatchObject([
    { status: 409, refused_id: id },
    { status: 409, refused_id: id },
  ]);
  expect(await readRefused(shop, id)).toMatchObject({ attempts: 1, bodies: [first] });

  const paid = { transactions: [{ payment_type: 'cash', amount: 25_000 }] };
  const right = [
    { ...line(found, 2), price: 5000 },
    { ...line(product, 3), price: 5000 },
  ];
  const [sold] = await sendOfflineSales(shop, [again(right, paid)]);
  expect(sold).toMatchObject({ status: 200, is_replayed: false });
  expect(await readRefused(shop, id)).toMatchObject({ status: 'sold', amount: 25_000, attempts: 2 });
});

test('sold by another body, each that was kept is answered with that sale, and a third is 409 with it (Part 4, 4.4 (1), (5))', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const nine = { products: [{ product_id: product, sold_quantity: 90, price: 5000 }] };
  const first = offlineSaleBody(shop, product, 'till-1', nine);
  const odd = { ...offlineSaleBody(shop, product, 'till-1'), discont: 5 };
  await sendOfflineSales(shop, [first, odd]);
  const retried = await call(`PATCH ${REFUSED}/1/retry`, {
    token: shop.director,
    json: { ...offlineSaleBody(shop, product, 'till-1'), key: undefined, sold_at: undefined },
  });
  expect(retried).toMatchObject({ status: 200, body: { status: 'sold', amount: 5000 } });
  const { sale_id } = z.looseObject({ sale_id: z.int() }).parse(retried.body);
  const turned = Object.fromEntries(Object.entries(first).reverse());
  expect(await sendOfflineSales(shop, [first, odd, turned])).toMatchObject(
    [1, 2, 3].map(() => ({ status: 200, is_replayed: true, sale: { id: sale_id } })),
  );
  const single = await call('POST /company/trade/sale', { token: shop.director, json: first });
  expect(single).toMatchObject({ status: 200, body: { id: sale_id } });
  expect(single.headers.get('idempotent-replayed')).toBe('true');
  const third = offlineSaleBody(shop, product, 'till-1', {
    products: [{ product_id: product, sold_quantity: 2, price: 5000 }],
  });
  const reused = { status: 409, code: 'sale.key_reused', sale_id, refused_id: null, fields: [] };
  expect(await sendByBoth(shop, third)).toEqual([reused, reused]);
  expect(await piecesOf(shop, product)).toBe(9);
});

test('who names another seller needs the right to, while it waits too; what is kept is sold by who may have sold it (Part 4, 4.4 (2))', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const at = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const one = await newEmployee(shop, [STORE, LATE], at);
  const two = await newEmployee(shop, [STORE, LATE], at);
  const teller = await newEmployee(shop, [STORE, LATE, 'company.trade.sale.creator'], at);
  const of = async (key: string, given: object, token: string) => {
    const [row] = await sendOfflineSales(shop, [offlineSaleBody(shop, product, key, given)], token);
    return readRefused(shop, z.int().parse(row?.refused_id));
  };
  const wrong = { due_date: '2000-01-01' };
  const mine = await of('till-1', wrong, one);
  const [oneId] = [z.int().parse(mine['creator_id'])];
  expect(mine).toMatchObject({ sent_by: oneId, retried_by: null });
  for (const answer of await sendByBoth(
    shop,
    offlineSaleBody(shop, product, 'till-1', { creator_id: oneId }),
    two,
  )) {
    expect(answer).toMatchObject({ status: 422, fields: ['creator_id'], refused_id: mine['id'] });
  }
  const theirs = await readRefused(shop, z.int().parse(mine['id']));
  expect(theirs['creator_id']).toBe(theirs['sent_by']);
  expect(theirs['sent_by']).not.toBe(oneId);
  const named = await of('till-2', { ...wrong, creator_id: oneId }, teller);
  expect(named).toMatchObject({ creator_id: oneId });
  expect(named['sent_by']).not.toBe(oneId);
  const nobody = await of('till-3', { ...wrong, creator_id: 999_999_999 }, teller);
  expect(nobody['creator_id']).toBe(named['sent_by']);
  const [sold] = await sendOfflineSales(
    shop,
    [offlineSaleBody(shop, product, 'till-2', { creator_id: oneId })],
    teller,
  );
  expect(sold?.sale).toMatchObject({ creator_id: oneId, sent_by: named['sent_by'], retried_by: null });
});

test('an expired key is no seller, and what it sent and was kept is still sold by it (Contract 9.106)', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, WATER);
  const at = { cashbox_ids: [shop.cashboxId], stock_ids: [shop.stockId] };
  const { id, key } = await newProgramKey(shop, [STORE], at);
  const two = { products: [{ product_id: product, sold_quantity: 11, price: 5000 }] };
  const [row] = await sendOfflineSales(shop, [offlineSaleBody(shop, product, 'till-1', two)], key);
  const refused = z.int().parse(row?.refused_id);
  const named = (number: string) =>
    sendOfflineSales(shop, [offlineSaleBody(shop, product, number, { creator_id: id })]);
  expect(await named('till-2')).toMatchObject([{ status: 200, sale: { creator_id: id } }]);
  await transact([update(userKey(id), { set: { expires_at: Date.now() - 1000 } })]);
  const [barred] = await named('till-3');
  expect(barred).toMatchObject({ status: 422, errors: { creator_id: [NOT_FOUND] } });
  const kept = { key: undefined, sold_at: undefined, cashbox_id: undefined };
  const json = { ...offlineSaleBody(shop, product, 'till-1'), ...kept };
  const sold = await call(`PATCH ${REFUSED}/${refused}/retry`, { token: shop.director, json });
  const told = { creator_id: id, sent_by: id, retried_by: shop.directorId };
  expect(sold).toMatchObject({ status: 200, body: { status: 'sold', ...told } });
});

test('a key that waits is tried again by either call, though its body is no sale by its form (Part 4, 4.4 (5); Contract 9.101)', async () => {
  const shop = await newShop();
  const token = shop.director;
  const product = await newGoods(shop, WATER);
  const sendAlone = (json: object) => call('POST /company/trade/sale', { token, json });
  const id = await refuseOne(shop, product, 'waits');
  const body = offlineSaleBody(shop, product, 'waits');
  const unfit = [
    { ...body, products: 'none' },
    { ...body, stock_id: null },
    { ...body, transactions: [{ payment_type: 'gold', amount: 1 }] },
    { ...body, nobody_knows: true },
  ];
  for (const [index, json] of unfit.entries()) {
    expect(await sendAlone(json)).toMatchObject({ status: 422, body: { refused_id: id } });
    const { attempts, bodies } = await readRefused(shop, id);
    expect([attempts, bodies.length, bodies.at(-1)]).toEqual([index + 2, index + 2, json]);
  }
  const other = await sendAlone({ ...body, stock_id: null, sold_at: renderInstant(Date.now() - 7_200_000) });
  expect(other).toMatchObject({ status: 409, body: { code: 'sale.key_reused', refused_id: id } });
  const elsewhere = await sendAlone({ ...body, key: 'new', stock_id: null });
  expect(elsewhere).toMatchObject({ status: 422, body: { codes: { stock_id: expect.anything() } } });
  expect(elsewhere.body).not.toHaveProperty('refused_id');

  const sold = await sendAlone(body);
  expect(sold.status).toBe(200);
  for (const json of unfit) {
    const again = await sendAlone(json);
    expect(again).toMatchObject({ status: 200, body: { id: sold.number('id') } });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  }
  expect(await sendAlone({ ...body, cashbox_id: shop.cashboxId, products: 'others' })).toMatchObject({
    status: 422,
    body: { codes: { products: ['validation.not_list'] } },
  });
});

test('a dismissed key is 422 sale.dismissed by the single call, though its body is no sale by its form (Part 4, 4.4 (5))', async () => {
  const shop = await newShop();
  const token = shop.director;
  const product = await newGoods(shop, WATER);
  const id = await refuseOne(shop, product, 'dismissed');
  await call(`PATCH ${REFUSED}/${id}/dismiss`, { token, json: { comment: 'No' } });
  const json = { ...offlineSaleBody(shop, product, 'dismissed'), stock_id: null };
  const answer = { status: 422, body: { code: 'sale.dismissed', refused_id: id } };
  expect(await call('POST /company/trade/sale', { token, json })).toMatchObject(answer);
  expect(await readRefused(shop, id)).toMatchObject({ attempts: 1, status: 'dismissed' });
});
