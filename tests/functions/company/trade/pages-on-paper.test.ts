import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { launchChromium, openPage } from '#tests/support/browser.ts';
import { call } from '#tests/support/http.ts';
import { CHROMIUM, WITHOUT_CHROMIUM } from '#tests/support/machine.ts';
import { downloadPage } from '#tests/support/pages.ts';
import { back, linesOfSale, readReturnList, sellFor, sendReturn } from '#tests/support/returns.ts';
import { beginShift, newShiftShop } from '#tests/support/shifts.ts';
import { newGoods, newShop, type Shop, saleBody } from '#tests/support/shop.ts';

/** Pixels to a millimetre of the pictures: finer than a printer's 203 dots an inch. */
const SCALE = 4;

const MM_TO_PX = 96 / 25.4;

const QR_URL = 'https://ofd.soliq.uz/check?t=UZ210317221212&r=105&c=20261122100000&s=123456789012';

let browser: Browser;

beforeAll(async () => {
  // Else the decoder is downloaded.
  const decoder = fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(await readFile(decoder)).buffer } });
  if (CHROMIUM) browser = await launchChromium(CHROMIUM);
});

beforeEach(({ skip }) => skip(WITHOUT_CHROMIUM !== undefined, WITHOUT_CHROMIUM));

afterAll(() => browser?.close());

/** Shows a page as a browser would print it, at the width of its paper, in millimetres. */
async function show(html: string, width: number): Promise<Page> {
  const viewport = { width: Math.round(width * MM_TO_PX), height: 800 };
  const page = await openPage(browser, { viewport, deviceScaleFactor: SCALE });
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  await page.setContent(html);
  await page.emulateMedia({ media: 'print' });
  expect(complaints).toEqual([]);
  return page;
}

/** Counts the millimetres by which the contents of a page are wider than its paper. */
function overflow(page: Page): Promise<number> {
  return page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');
}

async function codesOn(page: Page): Promise<string[]> {
  const picture = await page.screenshot({ fullPage: true });
  const found = await readBarcodes(new Blob([new Uint8Array(picture)]), { maxNumberOfSymbols: 255 });
  return found.map(({ format, text }) => `${format} ${text}`).sort();
}

async function sellWithReceipt(shop: Shop): Promise<number> {
  const { director: token } = shop;
  const name = 'Шоколад молочный «Сладкая жизнь» с цельным фундуком и изюмом, плитка, 100 г';
  const product = await newGoods(shop, [{ quantity: 9, cost: 1 }], { name, sale_price: 999_999_999.99 });
  const json = saleBody(shop, {
    products: [{ product_id: product, sold_quantity: 0.333 }],
    transactions: [{ payment_type: 'cash', amount: 333_000_000 }],
  });
  const { status, body } = await call('POST /company/trade/sale', { token, json });
  expect(status, JSON.stringify(body)).toBe(200);
  const { id } = z.object({ id: z.int() }).parse(body);
  const fiscal = {
    terminal_id: 'UZ210317221212',
    receipt_number: '105',
    sign: '123456789012',
    qr_url: QR_URL,
  };
  await call(`PATCH /company/trade/sale/${id}/fiscal`, {
    token,
    json: { ...fiscal, fiscalized_at: '2026-11-22 10:00:00' },
  });
  return id;
}

test.each([
  ['80', 72, 'ru'],
  ['80', 72, 'uz'],
  ['80', 72, 'oz'],
  ['a4', 180, 'ru'],
] as const)(
  'a slip fits %s (%i mm) in %s, and its QR code reads back (Part 5, 5B.8)',
  async (paper, width, locale) => {
    const shop = await newShop();
    const id = await sellWithReceipt(shop);
    for (const document of ['print', 'invoice']) {
      const path = `/company/trade/sale/${id}/${document}?format=html&paper=${paper}`;
      const page = await show(await downloadPage(path, { token: shop.director, locale }), width);
      expect(await overflow(page), document).toBe(0);
      expect(await codesOn(page), document).toEqual([`QRCode ${QR_URL}`]);
      expect((await page.pdf({ preferCSSPageSize: true })).length).toBeGreaterThan(1000);
      await page.close();
    }
  },
);

/** Names longer than any paper is wide, in one word and in many. */
const LONG_NAMES = [
  ['many words', 'Абдурахмонова Гулбаҳор Қодиржон қизи '.repeat(6).trim()],
  ['one word', 'М'.repeat(200)],
] as const;

test.each(LONG_NAMES)(
  'slips fit their paper with names of any length, in %s (Part 5, 5B.8)',
  async (_, name) => {
    const shop = await newShiftShop();
    const { director: token, cashboxId } = shop;
    const renamed = await call(`PUT /company/cashbox/cashbox/${cashboxId}`, {
      token,
      json: { name, type: 'sale' },
    });
    expect(renamed).toMatchObject({ status: 200, body: { name } });
    const client = await call('POST /company/client/client', {
      token,
      json: { full_name: name, main_phone: '998901112233' },
    });
    expect(client.status, JSON.stringify(client.body)).toBe(200);
    const { id: client_id } = z.object({ id: z.int() }).parse(client.body);
    const shift = await beginShift(shop);
    const product = await newGoods(shop, [{ quantity: 9, cost: 1 }], { name, sale_price: 5000 });
    const products = [{ product_id: product, sold_quantity: 1 }];
    const transactions = [{ payment_type: 'cash', amount: 5000 }];
    const sale = await sellFor(shop, { client_id, products, transactions });
    const [line] = await linesOfSale(shop, sale);
    const returned = await sendReturn(shop, sale, back({ [line?.id ?? 0]: 1 }, 5000));
    expect(returned.status, JSON.stringify(returned.body)).toBe(200);
    const [listed] = await readReturnList(shop, sale);
    const slips = [
      `/company/trade/sale/${sale}/print`,
      `/company/trade/sale/${sale}/invoice`,
      `/company/trade/sale/${sale}/return/${listed?.id}/print`,
      `/company/trade/cashbox-shift/${shift}/print`,
    ];
    for (const slip of slips) {
      for (const [paper, width] of [['80', 72] as const, ['a4', 180] as const]) {
        const page = await show(await downloadPage(`${slip}?format=html&paper=${paper}`, { token }), width);
        expect([slip, paper, await overflow(page)]).toEqual([slip, paper, 0]);
        await page.close();
      }
    }
  },
);

test.each([
  ['58x40', 58],
  ['43x25', 43],
  ['a4', 210],
] as const)(
  'tags of %s show a price of nine digits whole, with its currency (Part 5, 5B.8)',
  async (size, width) => {
    const shop = await newShop();
    const { director: token } = shop;
    const { unit_id } = shop.catalog;
    const unit = 'упаковка подарочная большая с бантом и открыткой';
    const json = { name: { ru: unit, uz: unit, oz: unit }, accuracy: 0 };
    expect((await call(`PUT /company/product/unit/${unit_id}`, { token, json })).status).toBe(200);
    const [[, name]] = LONG_NAMES;
    const products = await Promise.all(
      [12_500, 1_250_000, 999_999_999.99].map(async (sale_price, index) => ({
        product_id: await newGoods(shop, [], { name, sale_price, barcode: `478000000004${index}` }),
      })),
    );
    const html = await downloadPage('/company/product/product/tags', { token, json: { products, size } });
    const page = await show(html, width);
    expect(await overflow(page)).toBe(0);
    expect(await page.evaluate(CUT_PARTS)).toEqual([]);
  },
);

/** Texts of the parts of tags that have no room in theirs; of a name, only its beginning is promised. */
const CUT_PARTS = `[...document.querySelectorAll('.tag, .price, .price > :first-child, .code')]
  .filter((part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1)
  .filter((part) => getComputedStyle(part).display !== 'inline')
  .map((part) => part.className + ': ' + part.textContent)`;

test('a report of a shift fits 80 mm (Part 5, 5B.8)', async () => {
  const shop = await newShiftShop();
  const id = await beginShift(shop);
  const path = `/company/trade/cashbox-shift/${id}/print`;
  const page = await show(await downloadPage(path, { token: shop.director }), 72);
  expect(await overflow(page)).toBe(0);
});

test.each([
  ['58x40', 58, ['Code128 AB-1234', 'EAN13 4780000000045']],
  ['43x25', 43, ['Code128 AB-1234', 'EAN13 4780000000045']],
  ['a4', 210, ['Code128 AB-1234', 'Code128 LONG-0123456789', 'EAN13 4780000000045']],
] as const)('bar codes of tags of %s read back (Part 5, 5B.8)', async (size, width, codes) => {
  const shop = await newShop();
  const products = await Promise.all(
    ['4780000000045', 'AB-1234', 'LONG-0123456789', 'ШТ-1'].map(async (barcode) => ({
      product_id: await newGoods(shop, [], { name: `Товар ${barcode} с названием в две строки`, barcode }),
    })),
  );
  const json = { products, size };
  const html = await downloadPage('/company/product/product/tags', { token: shop.director, json });
  const page = await show(html, width);
  expect(await overflow(page)).toBe(0);
  expect((await codesOn(page)).filter((code) => codes.some((each) => each === code))).toEqual([...codes]);
});
