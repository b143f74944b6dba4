import { expect, test } from 'vitest';
import * as z from 'zod';
import { addClient } from '#tests/support/clients.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { downloadPage, textsOnPage } from '#tests/support/pages.ts';
import { errorsOf } from '#tests/support/records.ts';
import { beginShift, endShift, newShiftShop } from '#tests/support/shifts.ts';
import { newGoods, newShop, type Shop, saleBody, sellOne } from '#tests/support/shop.ts';

const SALES = '/company/trade/sale';
const TAGS = '/company/product/product/tags';
const STOCK = [{ quantity: 100, cost: 1 }];

const Made = z.object({ id: z.int(), code: z.string() });

const Shown = z.object({ products: z.array(z.object({ id: z.int() })) });

const Detailed = z.object({ returns: z.array(z.object({ id: z.int() })) });

async function sell(shop: Shop, given: object) {
  const { status, body } = await call(`POST ${SALES}`, { token: shop.director, json: saleBody(shop, given) });
  expect(status, JSON.stringify(body)).toBe(200);
  return Made.parse(body);
}

/** Sells two products with a discount to a client, on debt in part. */
async function richSale(shop: Shop) {
  const tea = await newGoods(shop, STOCK, { name: 'Choy <b>"ko‘k"</b> & co', sale_price: 12_500.5 });
  const salt = await newGoods(shop, STOCK, { name: 'Туз', barcode: '002', sale_price: 3000 });
  const client = await addClient(shop);
  return sell(shop, {
    products: [
      { product_id: tea, sold_quantity: 2, discount: 1.5 },
      { product_id: salt, sold_quantity: 0.5 },
    ],
    client_id: client,
    due_date: '2099-01-01',
    transactions: [
      { payment_type: 'cash', amount: 21_499.5 },
      { payment_type: 'debt', amount: 5000 },
    ],
  });
}

const FISCAL = {
  terminal_id: 'UZ1',
  receipt_number: '77',
  sign: '123456789012',
  qr_url: 'https://ofd.soliq.uz/check?t=UZ1&r=77',
  fiscalized_at: '2026-11-22 10:00:00',
};

test('a sale prints as a slip with its lines, discount, payments and what the client owes (Part 5, 5B.8)', async () => {
  const shop = await newShop();
  const { id, code } = await richSale(shop);
  const texts = textsOnPage(await downloadPage(`${SALES}/${id}/print?format=html`, { token: shop.director }));
  expect(texts).toEqual(
    expect.arrayContaining([
      expect.stringContaining(code),
      'Desk 1',
      '1. Choy <b>"ko‘k"</b> & co',
      expect.stringMatching(/^2 .* × 12\u00a0500,50$/),
      'Скидка 1,50',
      '24\u00a0999,50',
      '2. Туз',
      expect.stringMatching(/^0,5 .* × 3\u00a0000,00$/),
      'Скидка, UZS',
      'Итого, UZS',
      '26\u00a0499,50',
      'Оплата',
      '21\u00a0499,50',
      'Долг, UZS',
      '5\u00a0000,00',
    ]),
  );
});

test.each([
  ['ru', 'Итого, UZS'],
  ['uz', 'Жами, UZS'],
  ['oz', 'Jami, UZS'],
] as const)(
  'a slip in %s speaks the language of the caller, on both papers (Part 5, 5B.8)',
  async (locale, total) => {
    const shop = await newShop();
    const { id } = await richSale(shop);
    for (const paper of ['80', 'a4']) {
      const page = await downloadPage(`${SALES}/${id}/print?format=html&paper=${paper}`, {
        token: shop.director,
        locale,
      });
      expect(textsOnPage(page)).toContain(total);
      expect(page).toContain(paper === 'a4' ? 'size: A4' : 'size: 80mm');
    }
  },
);

test('a fiscal receipt is on the slip: terminal, number, sign and a QR code (Part 5, 5B.8)', async () => {
  const shop = await newShop();
  const { id } = await richSale(shop);
  const token = shop.director;
  expect((await call(`PATCH ${SALES}/${id}/fiscal`, { token, json: FISCAL })).status).toBe(200);
  const page = await downloadPage(`${SALES}/${id}/print?format=html`, { token });
  expect(textsOnPage(page).join(' ')).toMatch(/UZ1.*77.*123456789012/);
  expect(page.match(/<svg /g)).toHaveLength(1);
});

test('an invoice prints with what the settings enable, and lines to sign on (Part 5, 5B.8)', async () => {
  const shop = await newShop();
  const { id } = await richSale(shop);
  const texts = textsOnPage(
    await downloadPage(`${SALES}/${id}/invoice?format=html&paper=a4`, { token: shop.director }),
  );
  expect(texts.join(' ')).toMatch(/Накладная.*Итого, UZS.*Сумма прописью.*Отпустил.*Получил/);
});

test('slips of a sale and of its return say what the client has and owes, whatever paid (Part 5, 5B.8)', async () => {
  const shop = await newShop();
  const token = shop.director;
  const client_id = await addClient(shop);
  const owed = { currency: 'uzs', amount: 345, due_date: '2099-01-01', comment: 'x' };
  const cash = [{ payment_type: 'cash', amount: 1000 }];
  const deposit = { cashbox_id: shop.cashboxId, type: 'income', currency: 'uzs', ...cash[0], amount: 678 };
  const product = await newGoods(shop, STOCK, { sale_price: 1000 });
  for (const [path, json] of [
    ['debt', { ...owed, client_id }],
    [`client/${client_id}/deposit`, deposit],
  ] as const)
    expect([path, (await call(`POST /company/client/${path}`, { token, json })).status]).toEqual([path, 200]);
  const { id } = await sell(shop, {
    products: [{ product_id: product, sold_quantity: 1 }],
    client_id,
    transactions: cash,
  });
  const address = `${SALES}/${id}`;
  await call(`PATCH ${address}/return`, { token, json: { transactions: cash } });
  const { returns } = Detailed.parse((await call(`GET ${address}/check-detail`, { token })).body);
  for (const path of [`${address}/print`, `${address}/return/${returns[0]?.id}/print`]) {
    const texts = textsOnPage(await downloadPage(`${path}?format=html`, { token }));
    const after = (label: string) => texts[texts.indexOf(label) + 1];
    expect([path, after('Остаток аванса, UZS'), after('Долг, UZS')]).toEqual([path, '678,00', '345,00']);
  }
});

test('a return prints with its lines, discounts, reasons and payouts (Part 5, 5B.8)', async () => {
  const shop = await newShop();
  const product = await newGoods(shop, STOCK, { name: 'Чашка', sale_price: 1000 });
  const sale = await sell(shop, {
    products: [{ product_id: product, sold_quantity: 3, discount: 30 }],
    transactions: [{ payment_type: 'cash', amount: 2970 }],
  });
  const token = shop.director;
  const { products } = Shown.parse((await call(`GET ${SALES}/${sale.id}`, { token })).body);
  await call(`PATCH ${SALES}/${sale.id}/return`, {
    token,
    json: {
      products: [{ id: products[0]?.id, reason_type: 'defective', returned_quantity: 2 }],
      transactions: [{ payment_type: 'cash', amount: 1980 }],
    },
  });
  const { returns } = Detailed.parse((await call(`GET ${SALES}/${sale.id}/check-detail`, { token })).body);
  const path = `${SALES}/${sale.id}/return/${returns[0]?.id}/print`;
  const texts = textsOnPage(await downloadPage(path, { token: shop.director }));
  expect(texts).toEqual(
    expect.arrayContaining([
      sale.code,
      '1. Чашка',
      'Скидка 20,00',
      'Брак',
      '1\u00a0980,00',
      expect.stringMatching(/^Выплачено/),
    ]),
  );
  expect((await call(`GET ${SALES}/${sale.id}/return/999999/print`, { token })).status).toBe(404);
});

test('a shift prints an X report while it is open, a Z report once closed (Part 5, 5B.8)', async () => {
  const shop = await newShiftShop();
  const id = await beginShift(shop);
  const product = await newGoods(shop, STOCK, { sale_price: 7000 });
  expect((await sellOne(shop, product, 1, 7000)).status).toBe(200);
  const path = `/company/trade/cashbox-shift/${id}/print`;
  const open = textsOnPage(await downloadPage(path, { token: shop.director }));
  expect(open).toEqual(
    expect.arrayContaining([`X-отчёт, смена № ${id}`, 'Наличные, UZS', 'Продажа: приход', '7\u00a0000,00']),
  );
  expect(open).not.toContain('Фактически');
  await endShift(shop, id);
  const closed = textsOnPage(await downloadPage(path, { token: shop.director }));
  expect(closed).toEqual(expect.arrayContaining([`Z-отчёт, смена № ${id}`, 'Фактически', 'Осталось']));
});

test('prints of another family are 404 (Part 5, 5B.8)', async () => {
  const shop = await newShiftShop();
  const shift = await beginShift(shop);
  const { id } = await richSale(shop);
  const { director: token } = await newFamily();
  const paths = [
    `${SALES}/${id}/print?format=html`,
    `${SALES}/${id}/invoice?format=html`,
    `${SALES}/${id}/return/1/print`,
    `/company/trade/cashbox-shift/${shift}/print`,
  ];
  for (const path of paths) expect((await call(`GET ${path}`, { token })).status, path).toBe(404);
});

test('tags have name, price, unit and bar code, as many as asked for (Part 5, 5B.8)', async () => {
  const shop = await newShop();
  const ean = await newGoods(shop, STOCK, { name: 'Чай', barcode: '4780000000045', sale_price: 12_500 });
  const own = await newGoods(shop, STOCK, { name: 'Соль', barcode: 'AB-12', sale_price: 1 });
  const json = {
    products: [{ product_id: ean, copies: 3 }, { product_id: own }],
    size: '58x40',
  };
  const page = await downloadPage(TAGS, { token: shop.director, json });
  expect(page.match(/class="tag"/g)).toHaveLength(4);
  expect(page.match(/<svg /g)).toHaveLength(4);
  expect(textsOnPage(page)).toEqual(
    expect.arrayContaining(['Чай', '12\u00a0500,00', '4780000000045', 'Соль', 'AB-12']),
  );
});

test('a bar code that is too wide for its tag, or has no bars, is text alone (Part 5, 5B.8)', async () => {
  const shop = await newShop();
  const long = await newGoods(shop, STOCK, { barcode: 'LONG-CODE-0123456789-ABC' });
  const cyrillic = await newGoods(shop, STOCK, { barcode: 'ЧАЙ-1' });
  const json = { products: [{ product_id: long }, { product_id: cyrillic }], size: '43x25' };
  const page = await downloadPage(TAGS, { token: shop.director, json });
  expect(page).not.toContain('<svg');
  expect(textsOnPage(page)).toEqual(expect.arrayContaining(['LONG-CODE-0123456789-ABC', 'ЧАЙ-1']));
});

test('tags name each unknown or deleted product, and are at most a thousand (Part 5, 5B.8)', async () => {
  const shop = await newShop();
  const token = shop.director;
  const known = await newGoods(shop, STOCK);
  const gone = await newGoods(shop, []);
  expect((await call(`DELETE /company/product/product/${gone}`, { token })).status).toBe(200);
  const products = [{ product_id: 999_999 }, { product_id: known }, { product_id: gone }];
  const errors = await errorsOf(`POST ${TAGS}`, token, { products, size: 'a4' });
  expect(Object.keys(errors)).toEqual(['products.0.product_id', 'products.2.product_id']);
  const many = Array.from({ length: 11 }, () => ({ product_id: known, copies: 100 }));
  expect(Object.keys(await errorsOf(`POST ${TAGS}`, token, { products: many, size: 'a4' }))).toEqual([
    'products',
  ]);
});

test('a thousand tags of the longest names stay within 4 MB (Part 5, 5B.8)', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, STOCK, { name: '&'.repeat(255), barcode: '4780000000045' });
  const products = Array.from({ length: 10 }, () => ({ product_id: id, copies: 100 }));
  const page = await downloadPage(TAGS, { token: shop.director, json: { products, size: 'a4' } });
  expect(Buffer.byteLength(page)).toBeLessThan(4 * 1024 * 1024);
});
