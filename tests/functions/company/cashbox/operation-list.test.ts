import { expect, test } from 'vitest';
import { POSTING, Posting } from '#lib/cash/posting/record.ts';
import { put } from '#lib/table/change/write.ts';
import { familyTenant, partition, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { idsOf, make } from '#tests/support/records.ts';
import { downloadSheet } from '#tests/support/sheet.ts';
import { newGoods, newShop, sellOne } from '#tests/support/shop.ts';

const OPERATIONS = '/company/cashbox/operation';
const DESKS = '/company/cashbox/cashbox';

/** Creates a shop that has sold for 10 000 in cash, and paid a supplier 2500 of it. */
async function newDay() {
  const shop = await newShop();
  const product = await newGoods(shop, [{ quantity: 10, cost: 1 }]);
  const sale = await sellOne(shop, product, 2, 5000);
  const supplier = await make('/company/stock/supplier', shop.director, { name: 'Ферма' });
  const json = { cashbox_id: shop.cashboxId, payment_type: 'cash', currency: 'uzs', amount: 2500 };
  const payment = await call(`POST /company/stock/supplier/${supplier}/payment`, {
    token: shop.director,
    json,
  });
  return {
    ...shop,
    token: shop.director,
    supplier,
    tenant: familyTenant(shop.companyId),
    /** Postings of the sale and of the payment. */
    sold: sale.number('transactions.0.transfer_id'),
    paid: payment.number('id'),
  };
}

test('the list shows manual movements only, with the fields of a transfer', async () => {
  const { token, supplier, companyId, cashboxId, directorId, paid } = await newDay();
  const embeds = 'with[]=cashbox&with[]=company&with[]=creator.profile&with[]=source';
  const { body } = await call(`GET ${OPERATIONS}?${embeds}`, { token });
  expect(body).toMatchObject({ meta: { total: 1, per_page: 20 } });
  expect(body).toMatchObject({
    data: [
      {
        id: paid,
        company_id: companyId,
        cashbox_id: cashboxId,
        creator_id: directorId,
        shift_id: null,
        type: 'outcome',
        payment_type: 'cash',
        currency: 'uzs',
        amount: 2500,
        status: 'completed',
        source_type: 'supplier',
        source_id: supplier,
        source_data: [],
        additional: { balances_after: { cash: { uzs: '7500.00' } }, on_hold_after: [] },
        reversal_of_id: null,
        is_returned: false,
        reversal_id: null,
        cancel_comment: null,
        contract_number: null,
        comment: null,
        cashbox: { id: cashboxId, name: 'Desk 1', type: 'sale' },
        company: { id: companyId },
        creator: { profile: { full_name: 'Test' } },
        source: { id: supplier, name: 'Ферма' },
      },
    ],
  });
  expect((await call(`GET ${OPERATIONS}`, { token })).body).toMatchObject({ data: [{ source: null }] });
});

test('the list has the filters of Contract 9.39', async () => {
  const { token, supplier, companyId, cashboxId, directorId, paid } = await newDay();
  const found = (query: string) => idsOf(OPERATIONS, token, query);
  const today = new Date().toISOString().slice(0, 4);
  const mine = [
    `id=${paid}`,
    `company_id=${companyId}`,
    `cashbox_id=${cashboxId}`,
    `creator_id=${directorId}`,
    'type=outcome',
    'payment_type=cash',
    'currency=uzs',
    'status=completed',
    'source_type=supplier',
    `source_id=${supplier}`,
  ];
  for (const each of mine) {
    const [name, value] = each.split('=');
    expect(await found(`filter[${name}]=${value}`)).toEqual([paid]);
  }
  expect(await found(`filter[created_at][0]=${today}-01-01`)).toEqual([paid]);
  const others = ['type=income', 'currency=usd', 'status=canceled', 'source_type=sale', 'source_id=999'];
  for (const each of others) {
    const [name, value] = each.split('=');
    expect(await found(`filter[${name}]=${value}`)).toEqual([]);
  }
  expect((await call(`GET ${OPERATIONS}?filter[comment]=a`, { token })).status).toBe(422);
});

test('all postings of a desk are listed, to whom the desk is open (Contract 9.40)', async () => {
  const { token, companyId, cashboxId, sold, paid } = await newDay();
  const other = await make(DESKS, token, { name: 'Desk 2', type: 'sale' });
  expect(await idsOf(`${DESKS}/${cashboxId}/transfers`, token)).toEqual([sold, paid]);
  expect(await idsOf(`${DESKS}/${other}/transfers`, token)).toEqual([]);
  const of = (given: string) => idsOf(`${DESKS}/${cashboxId}/transfers`, token, given);
  expect(await of('filter[source_type]=sale')).toEqual([sold]);
  const { director: stranger } = await newFamily();
  const cashier = await newEmployee({ companyId }, ['company.cashbox.cashbox.transfers'], {
    are_all_companies_available: true,
    cashbox_ids: [other],
  });
  for (const query of ['', '?format=excel']) {
    for (const reader of [stranger, cashier]) {
      const request = `GET ${DESKS}/${cashboxId}/transfers${query}`;
      expect((await call(request, { token: reader })).status).toBe(404);
    }
  }
});

test('both are had as workbooks', async () => {
  const { token, cashboxId, paid } = await newDay();
  const { rows } = await downloadSheet(`${OPERATIONS}?format=excel`, token);
  expect(rows[1]).toEqual([
    paid,
    expect.any(Date),
    'Проведена',
    'Расход',
    'Оплата поставщику',
    'Ферма',
    'Savdo',
    'Desk 1',
    'Test',
    'Наличные',
    'UZS',
    2500,
    null,
  ]);
  const whole = await downloadSheet(`${DESKS}/${cashboxId}/transfers?format=excel`, token);
  expect(whole.rows).toHaveLength(3);
});

test('who reaches one desk gets its movements only', async () => {
  const { token, companyId, cashboxId, paid } = await newDay();
  const other = await make(DESKS, token, { name: 'Desk 2', type: 'sale' });
  const given = { are_all_companies_available: true };
  const right = ['company.cashbox.operation.index'];
  const here = await newEmployee({ companyId }, right, { ...given, cashbox_ids: [cashboxId] });
  const elsewhere = await newEmployee({ companyId }, right, { ...given, cashbox_ids: [other] });
  expect(await idsOf(OPERATIONS, here)).toEqual([paid]);
  expect(await idsOf(OPERATIONS, elsewhere)).toEqual([]);
});

test('a posting takes one unit to write: what has a default is not stored', async () => {
  const { tenant } = await newDay();
  for (const item of await wholePartition(partition(POSTING, tenant))) {
    expect(JSON.stringify(item).length).toBeLessThan(700);
    expect(item).not.toHaveProperty('reversal_id');
  }
});

test('a posting from before all these fields is shown with their defaults', async () => {
  const { token, tenant, cashboxId, paid } = await newDay();
  const { manual_source_id: _, ...old } = (await getItem(recordKey(POSTING, tenant, paid))) ?? {};
  const additional = { balances_after: { cash: {}, card: {}, bank: {} } };
  await transact([put(recordKey(POSTING, tenant, paid), { ...old, additional })]);
  const { body } = await call(`GET ${DESKS}/${cashboxId}/transfers`, { token });
  expect(body).toMatchObject({
    data: [{ id: paid, is_returned: false, additional: { on_hold_after: [] } }, {}],
  });
  expect(Object.keys(Posting.shape)).not.toContain('manual_source_id');
});
