import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { companies } from '#lib/people/company/record.ts';
import { editRecord } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { newClientWithTariff } from '#tests/support/clients.ts';
import { creditHeaders, creditRequest, type Headers, sendCredit } from '#tests/support/credit.ts';
import { KEYS, newKey, newPartner, operator, uuidsOf } from '#tests/support/external.ts';
import { newCompany, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { make, NOT_FOUND } from '#tests/support/records.ts';
import { linesOfSale, sendReturn } from '#tests/support/returns.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { enableShifts } from '#tests/support/shifts.ts';
import { cashOf, newGoods, newShop, piecesOf, type Shop, saleBody, sellOne } from '#tests/support/shop.ts';
import { closeWarehouse } from '#tests/support/stock.ts';
import { newTrackedProduct, outstandingCodesOf } from '#tests/support/tracking-codes.ts';

const WATER = [{ quantity: 10, cost: 3000 }];

const Made = z.object({ id: z.int() });
const Clients = z.object({ data: z.array(z.object({ id: z.int(), full_name: z.string() })) });

/** Creates a shop with goods, and the headers of a credit system that may sell there. */
async function newCredit() {
  const shop = await newShop();
  const [productId, headers] = await Promise.all([newGoods(shop, WATER), creditHeaders(shop.companyId)]);
  return { shop, productId, headers };
}

async function clientsOf({ director }: Shop) {
  const { body } = await call('GET /company/client/client?show[]=with-deleted', { token: director });
  return Clients.parse(body).data;
}

async function repeated(send: () => Promise<Reply>): Promise<Reply[]> {
  return [await send(), await send()];
}

async function expectNothingChanged(shop: Shop, productId: number): Promise<void> {
  expect(await piecesOf(shop, productId)).toBe(10);
  expect([await cashOf(shop), await cashOf(shop, 'bank')]).toEqual([0, 0]);
  expect(await clientsOf(shop)).toEqual([]);
  const { body } = await call('GET /company/trade/sale', { token: shop.director });
  expect(body).toMatchObject({ data: [] });
}

test('lines of a credit sale take marks, too (Part 4, 4.6 (4))', async () => {
  const { shop, headers } = await newCredit();
  const marked = await newTrackedProduct(shop);
  const line = (...marks: string[]) =>
    creditRequest(shop, marked, { products: [{ product_id: marked, quantity: 2, price: 6000, marks }] });
  expect(await sendCredit(headers, line())).toMatchObject({
    status: 422,
    body: { codes: { 'products.0.marks': ['sale.marks_count'] } },
  });
  const made = await sendCredit(headers, line('A', 'B'));
  expect(made.status).toBe(200);
  expect(await linesOfSale(shop, made.number('id'))).toMatchObject([{ marks: ['A', 'B'] }]);
  expect(await outstandingCodesOf(shop)).toEqual(['A', 'B']);
  expect(await sendCredit(headers, line('C', 'B'))).toMatchObject({
    status: 422,
    body: { codes: { 'products.0.marks.1': ['sale.mark_out'] } },
  });
});

test('a sale on credit takes the goods, brings the first payment in cash and the rest by bank', async () => {
  const { shop, productId, headers } = await newCredit();
  const json = creditRequest(shop, productId);
  const made = await sendCredit(headers, json);
  expect(made.status).toBe(200);
  const id = made.number('id');
  expect(made.body).toEqual({ id, external_id: json.external_id, status: 'completed', code: `#${id}` });
  expect(await piecesOf(shop, productId)).toBe(8);
  expect([await cashOf(shop), await cashOf(shop, 'bank')]).toEqual([2000, 10_000]);
  const sale = await call(`GET /company/trade/sale/${id}?with[]=client&with[]=creator.profile`, {
    token: shop.director,
  });
  expect(sale.body).toMatchObject({
    source_type: 'credit',
    source_data: [],
    company_id: shop.companyId,
    creator_id: shop.directorId,
    creator: { id: shop.directorId, type: 'director' },
    sold_amount: 12_000,
    purchased_amount: 6000,
    client: { full_name: 'Алишер Каримов', main_phone: '998901112233' },
    transactions: [
      { payment_type: 'cash', amount: 2000 },
      { payment_type: 'bank', amount: 10_000 },
    ],
    products: [{ product_id: productId, sold_quantity: 2, price: 6000, amount: 12_000, cost: 6000 }],
  });
});

test('credit-detail shows the agreement, and is 404 for a sale that is none and to another family', async () => {
  const { shop, productId, headers } = await newCredit();
  const json = creditRequest(shop, productId);
  const id = (await sendCredit(headers, json)).number('id');
  const other = (await sellOne(shop, productId, 1, 5000)).number('id');
  const detail = (sale: number, token = shop.director) =>
    call(`GET /company/trade/sale/${sale}/credit-detail`, { token });
  expect(await detail(id)).toMatchObject({
    status: 200,
    body: {
      sale_id: id,
      external_id: json.external_id,
      agreement_number: 'K-15/26',
      agreement_date: '2026-10-01',
      months: 12,
      currency: 'uzs',
      total_amount: 12_000,
      initial_payment: 2000,
      credit_amount: 10_000,
      client: json.client,
      system: 'Bank',
    },
  });
  const { director } = await newFamily();
  expect([(await detail(other)).status, (await detail(id, director)).status]).toEqual([404, 404]);
});

test('the invoice of a sale on credit names the system as who sold it (Part 2, "Sales")', async () => {
  const { shop, productId, headers } = await newCredit();
  const sale = (await sendCredit(headers, creditRequest(shop, productId))).number('id');
  const invoice = await call(`GET /company/trade/sale/${sale}/invoice`, { token: shop.director });
  expect(invoice).toMatchObject({
    status: 200,
    body: {
      client: { full_name: 'Алишер Каримов' },
      cashier: { full_name: 'Bank', is_director: false },
      creator: { full_name: 'Bank' },
      rows: [{ quantity: 2, price: 6000, amount: 12_000 }],
    },
  });
  const { rows } = await downloadSheet(`/company/trade/sale/${sale}/invoice?format=excel`, shop.director);
  const texts = rows.map(([first]) => first);
  expect(texts).toContain('Продавец: Bank');
  expect(texts).toContain('Кассир: Bank');
});

test('the list of sales as a workbook names the system as who sold on credit (Part 2, "Sales")', async () => {
  const { shop, productId, headers } = await newCredit();
  await sendCredit(headers, creditRequest(shop, productId));
  await sellOne(shop, productId, 1, 5000);
  const { rows } = await downloadSheet('/company/trade/sale?format=excel', shop.director);
  const [heading = [], ...sales] = rows;
  const at = heading.indexOf('Продавец');
  expect(sales.map((row) => row[at])).toEqual(['Test', 'Bank']);
});

test('the agreement and its maker are shown by credit-detail alone (Contract 3)', async () => {
  const { shop, productId, headers } = await newCredit();
  const { director: token } = shop;
  const json = creditRequest(shop, productId, {
    products: [{ product_id: productId, quantity: 1, price: 5000 }],
  });
  const [one, other] = [
    (await sendCredit(headers, { ...json, external_id: 'a' })).number('id'),
    (await sendCredit(headers, { ...json, external_id: 'b' })).number('id'),
  ];
  const transactions = [
    { payment_type: 'cash', amount: 2000 },
    { payment_type: 'bank', amount: 3000 },
  ];
  const key = { 'idempotency-key': randomUUID() };
  const returned = await repeated(() => sendReturn(shop, one, { transactions }, key));
  const [line] = await linesOfSale(shop, other);
  const swapped = await call(`POST /company/trade/sale/${other}/exchange`, {
    token,
    json: saleBody(shop, {
      company_id: shop.companyId,
      returned_products: [{ id: line?.id, reason_type: 'defective', returned_quantity: 1 }],
      products: [{ product_id: productId, sold_quantity: 1 }],
    }),
  });
  const paths = ['', `/${one}`, `/${other}`, `/${one}/check-detail`, `/${other}/check-detail`];
  const seen = await Promise.all(paths.map((path) => call(`GET /company/trade/sale${path}`, { token })));
  const answers = [...returned, swapped, ...seen];
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
  const told = JSON.stringify(answers.map(({ body }) => body));
  for (const secret of ['12345678901234', 'K-15/26', 'pinfl']) expect(told).not.toContain(secret);
  const source_data = { exchange_key: `exchange-${other}` };
  expect(swapped.body).toMatchObject({ original_sale: { source_data }, exchange_sale: { source_data } });
  const { body } = await call(`GET /company/trade/sale/${other}/credit-detail`, { token });
  expect(body).toMatchObject({ agreement_number: 'K-15/26', client: json.client });
});

test('the whole price may be on credit: then no cash moves', async () => {
  const { shop, productId, headers } = await newCredit();
  expect((await sendCredit(headers, creditRequest(shop, productId, { initial_payment: 0 }))).status).toBe(
    200,
  );
  expect([await cashOf(shop), await cashOf(shop, 'bank')]).toEqual([0, 12_000]);
});

test('the client is found by the main phone, whatever the name, and restored if deleted', async () => {
  const { shop, productId, headers } = await newCredit();
  const id = await make('/company/client/client', shop.director, {
    full_name: 'Нодира',
    main_phone: '998901112233',
  });
  expect((await sendCredit(headers, creditRequest(shop, productId))).status).toBe(200);
  await call(`DELETE /company/client/client/${id}`, { token: shop.director });
  expect((await sendCredit(headers, creditRequest(shop, productId))).status).toBe(200);
  expect(await clientsOf(shop)).toMatchObject([{ id, full_name: 'Нодира' }]);
  expect((await call(`GET /company/client/client/${id}`, { token: shop.director })).status).toBe(200);
  const sales = await call(`GET /company/trade/sale?filter[client_id]=${id}`, { token: shop.director });
  expect(sales.body).toMatchObject({ meta: { total: 2 } });
});

test('the same external id again is the same sale, and with another agreement, client or goods 409 (Contract 9.85)', async () => {
  const { shop, productId, headers } = await newCredit();
  const json = creditRequest(shop, productId);
  const first = await sendCredit(headers, json);
  for (const again of [json, { ...json, cashbox_id: 999 }]) {
    expect(await sendCredit(headers, again)).toMatchObject({ status: 200, body: first.body });
  }
  const others = [
    { months: 6 },
    { agreement_number: 'K-16/26' },
    { agreement_date: '2026-10-02' },
    { initial_payment: 1999 },
    { client: { ...json.client, phone: '998901112244' } },
    { products: [{ product_id: productId, quantity: 100, price: 1 }] },
  ];
  for (const other of others) {
    expect(await sendCredit(headers, { ...json, ...other })).toMatchObject({
      status: 409,
      body: { code: 'credit.external_id_taken' },
    });
  }
  expect(await piecesOf(shop, productId)).toBe(8);
  const other = await sendCredit(
    headers,
    creditRequest(shop, productId, { external_id: `${json.external_id}x` }),
  );
  expect(Made.parse(other.body).id).not.toBe(Made.parse(first.body).id);
});

test('an initial payment keeps what was handed over with its change, prints both, and moves no more (Part 5, 5B.6)', async () => {
  const { shop, productId, headers } = await newCredit();
  const { director: token } = shop;
  const json = creditRequest(shop, productId, { tendered_amount: 5000 });
  const first = await sendCredit(headers, json);
  const { id } = Made.parse(first.body);
  const { body } = await call(`GET /company/trade/sale/${id}`, { token });
  expect(body).toMatchObject({
    received_amount: 12_000,
    change_amount: 0,
    transactions: [
      { payment_type: 'cash', amount: 2000, tendered_amount: 5000, cash_change: 3000 },
      { payment_type: 'bank', amount: 10_000, tendered_amount: null, cash_change: null },
    ],
  });
  expect([await cashOf(shop), await cashOf(shop, 'bank')]).toEqual([2000, 10_000]);
  const { rows } = await downloadSheet(`/company/trade/sale/${id}/print`, token);
  expect(rows.flat()).toEqual(expect.arrayContaining(['Получено наличными, UZS', 5000, 'Сдача, UZS', 3000]));
  for (const tendered_amount of [6000, null]) {
    expect(await sendCredit(headers, { ...json, tendered_amount })).toMatchObject({
      status: 200,
      body: first.body,
    });
  }
  expect(await piecesOf(shop, productId)).toBe(8);
});

test('an external id counts for its key: two systems number by themselves (Contract 9.85)', async () => {
  const { shop, productId, headers } = await newCredit();
  const others = await creditHeaders(shop.companyId);
  const [one, other] = [headers, others].map((each) =>
    sendCredit(each, creditRequest(shop, productId, { external_id: '1001' })),
  );
  expect([(await one)?.status, (await other)?.status]).toEqual([200, 200]);
  expect((await one)?.body).not.toEqual((await other)?.body);
  expect(await piecesOf(shop, productId)).toBe(6);
});

test('the same external id is the same sale in a count and between shifts too (Contract 3)', async () => {
  const { shop, productId, headers } = await newCredit();
  const json = creditRequest(shop, productId);
  const first = await sendCredit(headers, json);
  const expectOnlyTheSame = async (code: string) => {
    expect(await sendCredit(headers, json)).toMatchObject({ status: 200, body: first.body });
    const other = await sendCredit(headers, { ...json, external_id: 'another' });
    expect(other).toMatchObject({ status: 400, body: { code } });
  };
  await enableShifts(shop);
  await expectOnlyTheSame('shift.required');
  await closeWarehouse(shop, shop.stockId);
  await expectOnlyTheSame('stock.being_counted');
});

test('the same external id ten times at the same moment is sold once, and all are given that sale', async () => {
  const { shop, headers } = await newCredit();
  const id = await newGoods(shop, [{ quantity: 2, cost: 1 }]);
  const json = creditRequest(shop, id);
  const answers = await Promise.all(Array.from({ length: 10 }, () => sendCredit(headers, json)));
  expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  expect(await piecesOf(shop, id)).toBe(0);
  expect([await cashOf(shop), await cashOf(shop, 'bank')]).toEqual([2000, 10_000]);
  expect(await clientsOf(shop)).toHaveLength(1);
});

test('two agreements of a new client at the same moment make one client', async () => {
  const { shop, productId, headers } = await newCredit();
  const answers = await Promise.all([1, 2, 3].map(() => sendCredit(headers, creditRequest(shop, productId))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await clientsOf(shop)).toHaveLength(1);
});

test('external ids of two families have nothing to do with each other', async () => {
  const [one, other] = [await newCredit(), await newCredit()];
  const external_id = randomUUID();
  for (const { shop, productId, headers } of [one, other]) {
    expect((await sendCredit(headers, creditRequest(shop, productId, { external_id }))).status).toBe(200);
    expect(await piecesOf(shop, productId)).toBe(8);
  }
});

test('all problems of a request are reported at once, and it changes nothing', async () => {
  const { shop, productId, headers } = await newCredit();
  const bodies: [object, string[]][] = [
    [
      {
        external_id: '',
        months: 0,
        agreement_date: '01.10.2026',
        client: { phone: '901112233' },
        products: [],
      },
      ['agreement_date', 'client.full_name', 'client.phone', 'external_id', 'months', 'products'],
    ],
    [
      { initial_payment: -1, client: { full_name: 'A', phone: '998901112233', pinfl: '1' } },
      ['client.pinfl', 'initial_payment'],
    ],
    [{ initial_payment: 12_000 }, ['initial_payment']],
    [
      {
        stock_id: 999,
        cashbox_id: 999,
        currency: 'usd',
        products: [{ product_id: 999, quantity: 1, price: 9000 }],
      },
      // The currency is that of the desk's company: without a desk it is neither right nor wrong.
      ['cashbox_id', 'products.0.product_id', 'stock_id'],
    ],
    [{ stock_id: 999, currency: 'usd' }, ['currency', 'stock_id']],
    [{ products: [{ product_id: productId, quantity: 10.5, price: 6000 }] }, ['products.0.quantity']],
    [
      {
        products: [
          { product_id: productId, quantity: 1, price: 6000 },
          { product_id: productId, quantity: 1, price: 6000 },
        ],
      },
      ['products.1.product_id'],
    ],
  ];
  for (const [given, paths] of bodies) {
    const { status, body } = await sendCredit(headers, creditRequest(shop, productId, given));
    expect(status).toBe(422);
    expect(Object.keys(z.object({ errors: z.looseObject({}) }).parse(body).errors).sort()).toEqual(paths);
  }
  await expectNothingChanged(shop, productId);
});

test('a desk of another family is not found', async () => {
  const { shop, productId, headers } = await newCredit();
  const stranger = await newShop();
  const far = await Promise.all(
    ['a', 'b', 'c'].map((name) =>
      make('/company/cashbox/cashbox', stranger.director, { name, type: 'sale' }),
    ),
  );
  const json = creditRequest(shop, productId, { cashbox_id: Math.max(...far) });
  expect(await sendCredit(headers, json)).toMatchObject({
    status: 422,
    body: { errors: { cashbox_id: [NOT_FOUND] } },
  });
  await expectNothingChanged(shop, productId);
});

test('a call with a wrong or deleted key, or without one, is 404 and changes nothing', async () => {
  const { shop, productId, headers } = await newCredit();
  const { id, key } = await newKey({ kind: 'external', company_ids: [shop.companyId] });
  await call(`DELETE ${KEYS}/${id}`, { token: await operator() });
  const { 'Company-Primary-Uuid': uuid = '' } = headers;
  const wrong: Headers[] = [
    {},
    { 'Company-Primary-Uuid': uuid },
    { 'Company-Primary-Uuid': uuid, 'External-System-Secret-Key': 'guess' },
    { 'Company-Primary-Uuid': uuid, 'External-System-Secret-Key': key },
    { 'Company-Primary-Uuid': uuid, Authorization: `Bearer ${shop.director}` },
  ];
  for (const each of wrong) {
    expect(await sendCredit(each, creditRequest(shop, productId))).toMatchObject({
      status: 404,
      body: { message: 'Не найдено.' },
    });
  }
  await expectNothingChanged(shop, productId);
});

test('a company is named by one header, with a uuid that is its own', async () => {
  const { shop, productId, headers } = await newCredit();
  const { 'External-System-Secret-Key': key = '' } = headers;
  const secret = { 'External-System-Secret-Key': key };
  const { primary_uuid, sync_uuid } = await uuidsOf(shop.companyId);
  const wrong: Headers[] = [
    secret,
    { ...secret, 'Company-Primary-Uuid': randomUUID() },
    { ...secret, 'Company-Primary-Uuid': 'x'.repeat(2000) },
    { ...secret, 'Company-Primary-Uuid': sync_uuid },
    { ...secret, 'Company-Primary-Uuid': primary_uuid, 'Company-Sync-Uuid': sync_uuid },
  ];
  for (const each of wrong) expect((await sendCredit(each, creditRequest(shop, productId))).status).toBe(404);
  await expectNothingChanged(shop, productId);
  const capitals = { ...secret, 'Company-Primary-Uuid': primary_uuid.toUpperCase() };
  expect((await sendCredit(capitals, creditRequest(shop, productId))).status).toBe(200);
});

test('an external key goes with the primary and the sync uuid, a partner’s with the partner and the primary', async () => {
  const { shop, productId } = await newCredit();
  const partner_id = await newPartner();
  await editRecord({ type: companies, tenant: PLATFORM, id: shop.companyId }, Date.now(), (before) => ({
    ...before,
    partner_id,
  }));
  const { primary_uuid, sync_uuid, partner_uuid } = await uuidsOf(shop.companyId);
  const [external, partner] = await Promise.all([
    newKey({ kind: 'external', company_ids: [shop.companyId] }),
    newKey({ kind: 'partner', partner_id }),
  ]);
  const statuses: number[] = [];
  for (const { key } of [external, partner]) {
    for (const [header, uuid] of [
      ['Company-Primary-Uuid', primary_uuid],
      ['Company-Sync-Uuid', sync_uuid],
      ['Company-Partner-Uuid', partner_uuid],
    ] as const) {
      const headers = { 'External-System-Secret-Key': key, [header]: uuid };
      statuses.push((await sendCredit(headers, creditRequest(shop, productId, oneFor(productId)))).status);
    }
  }
  expect(statuses).toEqual([200, 200, 404, 200, 404, 200]);
});

test('a key for another company is 404, and so is another partner’s', async () => {
  const { shop, productId } = await newCredit();
  const { primary_uuid } = await uuidsOf(shop.companyId);
  const keys = await Promise.all([
    newKey({ kind: 'external', company_ids: [(await newFamily()).companyId] }),
    newKey({ kind: 'partner', partner_id: await newPartner() }),
  ]);
  for (const { key } of keys) {
    const headers = { 'External-System-Secret-Key': key, 'Company-Primary-Uuid': primary_uuid };
    expect((await sendCredit(headers, creditRequest(shop, productId))).status).toBe(404);
  }
  await expectNothingChanged(shop, productId);
});

test('a key for a branch acts as its director: at its desks, not at those of the main company', async () => {
  const { shop, productId } = await newCredit();
  const branch = await newCompany(shop.companyId);
  const headers = await creditHeaders(branch);
  expect(await sendCredit(headers, creditRequest(shop, productId))).toMatchObject({
    status: 422,
    body: { errors: { cashbox_id: [NOT_FOUND], stock_id: [NOT_FOUND] } },
  });
  await expectNothingChanged(shop, productId);
});

test('a deleted branch still sells on credit', async () => {
  const { shop } = await newCredit();
  const { director: token } = shop;
  const branch = await newCompany(shop.companyId);
  const [stockId, cashboxId] = await Promise.all([
    make('/company/stock/stock', token, { name: 'Branch', company_id: branch }),
    make('/company/cashbox/cashbox', token, { name: 'Branch desk', type: 'sale', company_id: branch }),
  ]);
  const place = { ...shop, stockId, cashboxId };
  const productId = await newGoods(place, WATER);
  const headers = await creditHeaders(branch);
  await call(`DELETE /admin/company/company/${branch}`, { token: await operator() });
  expect((await sendCredit(headers, creditRequest(place, productId))).status).toBe(200);
  expect(await piecesOf(place, productId)).toBe(8);
});

test('the list of keys tells when one was last used', async () => {
  const { shop, productId } = await newCredit();
  const { id, key } = await newKey({ kind: 'external', company_ids: [shop.companyId] });
  const { primary_uuid } = await uuidsOf(shop.companyId);
  const headers = { 'External-System-Secret-Key': key, 'Company-Primary-Uuid': primary_uuid };
  const token = await operator();
  const used = async () => (await call(`GET ${KEYS}?filter[id]=${id}`, { token })).body;
  expect(await used()).toMatchObject({ data: [{ last_used_at: null }] });
  await sendCredit(headers, creditRequest(shop, productId));
  const noted = { data: [{ last_used_at: expect.stringMatching(/^\d{4}-/) }] };
  await expect.poll(used, { timeout: MAX_WAIT_MS }).toMatchObject(noted);
});

function oneFor(product_id: number) {
  return { products: [{ product_id, quantity: 1, price: 6000 }] };
}

test('a client with a bonus tariff earns of what comes in for a sale on credit (Contract 9.30)', async () => {
  const { shop, productId, headers } = await newCredit();
  const client_id = await newClientWithTariff(shop, 10);
  const client = { full_name: 'Dilnoza', phone: '998905554433', pinfl: null };
  const sold = await sendCredit(headers, creditRequest(shop, productId, { client }));
  const { id } = Made.parse(sold.body);
  const token = shop.director;
  const sale = await call(`GET /company/trade/sale/${id}`, { token });
  expect(sale.body).toMatchObject({ client_id, bonus_earned: 1200 });
  const seen = await call(`GET /company/client/client/${client_id}`, { token });
  expect(seen.body).toMatchObject({ bonus_accumulations_amount: 1200 });
});
