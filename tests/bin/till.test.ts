import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addLine, changeLine, EMPTY_CART, ONE } from '#bin/demo/till/cart.ts';
import { DEMO_PASSWORD } from '#bin/local/demo-data.ts';
import { type ServiceProcess, startProcess } from '#bin/local/process.ts';
import { launchChromium } from '#tests/support/browser.ts';
import { CHROMIUM, WITHOUT_CHROMIUM } from '#tests/support/machine.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';

/* The till at /till as a cashier uses it. `PICTURES=1` takes those of the README. */

const PICTURES = join(import.meta.dirname, '../../docs/pictures');

/** Lists elements outside a page of 390 px, including its left side, which can't be scrolled to. */
const OUTSIDE = `[...document.querySelectorAll('button, input, select')]
  .filter((each) => each.getBoundingClientRect().left < 0 || each.getBoundingClientRect().right > 390)
  .map((each) => each.textContent)`;

/** Has the page wait thirty times as long for answers: a slow machine is no silent network. */
const SLOWLY = `{
  const { timeout } = AbortSignal;
  AbortSignal.timeout = (ms) => timeout.call(AbortSignal, 30 * ms);
}`;

const WATER = '4780000000017';
const TEA = '4780000000024';

/** Texts that are no number. */
const UNREADABLE = ['1$', '12.500,00', '1.5.2', '-1', '1 dona', "100 000 so'm"];

describe.skipIf(WITHOUT_CHROMIUM)('the till', () => {
  let service: ServiceProcess;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    service = await startProcess();
    const settings = { cashbox_shift_settings: { is_enabled: true } };
    await call('director', 'PUT', '/company/company/settings', settings);
    browser = await launchChromium(CHROMIUM ?? '');
    await openContext();
  });

  beforeEach(() => {
    complaints.length = 0;
    return () => expect(complaints).toEqual([]);
  });

  afterAll(async () => {
    await browser?.close();
    await service?.stop();
  });

  test('tells why nobody is signed in, signs in, and opens a shift', async () => {
    await page.goto(`${service.address}/till`);
    await page.getByLabel('Parol').fill('a wrong password');
    await press('Kirish');
    await page.getByText('Login yoki parol noto‘g‘ri.').waitFor();
    await page.getByLabel('Parol').fill(DEMO_PASSWORD);
    await press('Kirish');
    await page.getByLabel('Kassadagi mayda pul').fill('100 000');
    await press('Smenani ochish');
    await page.getByRole('button', { name: 'Suv 1,5 l' }).waitFor();
  });

  test('an unknown code is replaced by the next scan', async () => {
    await page.keyboard.type('999999');
    await page.keyboard.press('Enter');
    await page.getByText('Topilmadi: 999999').waitFor();
    await scan(WATER);
    await press('Tozalash');
  });

  test('sells all that was scanned before the first code was found', async () => {
    const before = (await sales()).length;
    const free = await holdCall('**/company/product/scan?*');
    await search().waitFor();
    for (const code of [WATER, TEA, WATER]) {
      await page.keyboard.type(code);
      await page.keyboard.press('Enter');
    }
    await page.keyboard.press('F9');
    free();
    await page.getByRole('heading', { name: '20 500' }).waitFor();
    await press('Orqaga');
    await press('Tozalash');
    expect(await sales()).toHaveLength(before);
  });

  test('sells what is scanned, with change, and prints the slip', async () => {
    await scan(WATER);
    await scan(TEA);
    await press('+ Suv 1,5 l');
    await picture('sell');
    await press('To‘lovga 20 500');
    await page.getByLabel('Naqd olindi').fill('50 000');
    await page.getByText('Qaytim 29 500').waitFor();
    await press('To‘lash');
    await page.getByText('Sotildi, chek #1').waitFor();
    await press('Chop etish');
    const slip = page.frameLocator('iframe');
    await slip.getByText('Choy, ko‘k 100 g').waitFor();
    await slip.getByText('50 000,00').waitFor();
    await page.getByRole('button', { name: 'Yopish', exact: true }).click();
    await press('Keyingi savdo');
    expect(await sales()).toMatchObject([
      {
        sold_amount: 20_500,
        transactions: [{ amount: 20_500, tendered_amount: 50_000, cash_change: 29_500 }],
      },
    ]);
  });

  test('takes dollars, and gives change in sums', async () => {
    await sell(WATER, async () => {
      await page.getByLabel('Dollar').fill('1');
      await page.getByText('Qaytim 8 650').waitFor();
    });
    await press('Keyingi savdo');
    expect(await sales()).toMatchObject([
      { change_amount: 8650, transactions: [{ currency: 'usd', amount: 1 }] },
      {},
    ]);
  });

  test('finds goods as a cashier types, in either script, with what is on the shelf', async () => {
    await search().fill('чой');
    await page.getByText('Qoldiq: 79').waitFor();
    expect(await page.locator('.tile').count()).toBe(1);
    await search().fill('');
  });

  test('a reload in mid-sale loses nothing', async () => {
    await scan(TEA);
    await page.reload();
    await page.getByRole('button', { name: 'To‘lovga 12 500' }).waitFor();
    await press('Tozalash');
  });

  test('shows a refusal at its line, before and after the payment, and keeps the cart', async () => {
    await scan(TEA);
    await press('O‘zgartirish: Choy');
    await page.getByLabel('Chegirma').fill('500');
    await press('Saqlash');
    await press('To‘lovga 12 000');
    const refused = page.locator('li .problem', { hasText: /\p{L}/u });
    await refused.waitFor();
    await press('To‘lash');
    await refused.waitFor();
    await press('Orqaga');
    await press('Tozalash');
  });

  test('sells without a network, survives a reload, and sends the sale once', async () => {
    const before = (await sales()).length;
    await context.setOffline(true);
    await sell(WATER);
    await page.getByText('Aloqasiz sotildi').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Yuborilmagan: 1' }).waitFor();
    expect(await sales()).toHaveLength(before);
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Aloqa bor', exact: true }).waitFor();
    expect(await sales()).toHaveLength(before + 1);
  });

  test('sends a sale once whose answer was lost, and one that was answered by 503', async () => {
    const before = (await sales()).length;
    await loseAnswer('**/company/trade/sale');
    await sell(WATER);
    await press('Keyingi savdo');
    await page.route('**/company/trade/sale', (route) => route.fulfill({ status: 503, body: '{}' }));
    await sell(TEA);
    await press('Keyingi savdo');
    await page.unroute('**/company/trade/sale');
    await page.getByRole('button', { name: 'Aloqa bor', exact: true }).waitFor();
    expect(await sales()).toHaveLength(before + 2);
  });

  test('shows what was refused of the sales without a network, with the reason, and tries it again', async () => {
    await context.setOffline(true);
    await takeTea('500', '6 250 000');
    await press('To‘lash');
    // Sent with the network back it would be refused at the counter, and not be kept.
    await page.getByText('Aloqasiz sotildi').waitFor();
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Rad etilgan: 1' }).click();
    await page.getByText('Tovar yetarli emas: mavjud 78.').waitFor();
    await page.getByText('Choy, ko‘k 100 g × 500').waitFor();
    await picture('refused');
    await receive(500);
    await press('Yana urinish');
    await page.getByRole('button', { name: 'Aloqa bor', exact: true }).waitFor();
  });

  test('puts goods aside, with the refusal at its field, and sells them', async () => {
    await press('Savdo');
    await scan(TEA);
    await press('Olib qo‘yish');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Olib qo‘yish' }).click();
    await dialog.locator('div', { hasText: 'Kim uchun' }).getByText('Majburiy maydon.').waitFor();
    await dialog.getByLabel('Kim uchun').fill('Aziza opa');
    await dialog.getByRole('button', { name: 'Olib qo‘yish' }).click();
    await dialog.waitFor({ state: 'detached' });
    await press('Rezerv', true);
    await page.getByText('Aziza opa').waitFor();
    await press('Sotish');
    await press('To‘lovga 12 500');
    await press('To‘lash');
    await page.getByText('Sotildi, chek').waitFor();
    expect((await sales())[0]).toMatchObject({ hold_id: 1, sold_amount: 12_500 });
  });

  test('opens a cheque while the list of the last ones loads', async () => {
    const free = await holdCall('**/company/trade/sale?*');
    await press('Qaytarish', true);
    await page.getByLabel('Chek raqami').fill('#1');
    await page.locator('form').getByRole('button', { name: 'Ochish' }).click();
    await page.getByLabel('Suv 1,5 l').waitFor();
    free();
    await press('Orqaga');
    await page.locator('li', { hasText: '#' }).first().waitFor();
  });

  test('takes goods back for what the preview says, and prints it', async () => {
    await press('Qaytarish', true);
    await page.getByLabel('Chek raqami').fill('#1');
    await page.locator('form').getByRole('button', { name: 'Ochish' }).click();
    await page.getByLabel('Suv 1,5 l').fill('3');
    await page.locator('div', { hasText: 'Suv' }).locator('.problem:not(:empty)').waitFor();
    await page.getByLabel('Suv 1,5 l').fill('1');
    await page.getByText('Qaytariladigan pul 4 000').waitFor();
    await page.locator('form').getByRole('button', { name: 'Qaytarish' }).click();
    await page.getByText('Qaytarib olindi').waitFor();
    await press('Chop etish');
    await page.frameLocator('iframe').getByText('Suv 1,5 l').waitFor();
    await page.getByRole('button', { name: 'Yopish', exact: true }).click();
    expect((await sales()).at(-1)).toMatchObject({ returned_amount: 4000 });
  });

  test.each([
    ['ru', 'Продажа', 'Отсканируйте'],
    ['uz', 'Савдо', 'Товарни'],
    ['oz', 'Savdo', 'Tovarni'],
  ])('speaks %s', async (language, title, hint) => {
    await page.getByRole('combobox').first().selectOption(language);
    await press(title);
    await page.getByText(hint).waitFor();
  });

  test('fits 390 px on every screen', async () => {
    await page.setViewportSize({ width: 390, height: 780 });
    await scan(WATER);
    await picture('phone');
    await press('To‘lovga 4 000');
    await page.getByRole('button', { name: '100 000' }).waitFor();
    await page.getByLabel('Naqd olindi').waitFor();
    for (const place of ['pay', 'Rezerv', 'Qaytarish', 'Smena', 'Aloqa bor', 'Savdo']) {
      if (place !== 'pay') await press(place, true);
      await page.waitForTimeout(300);
      expect([place, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([place, 390]);
      expect([place, await page.evaluate(OUTSIDE)]).toEqual([place, []]);
    }
    await press('Tozalash');
    await page.setViewportSize({ width: 1280, height: 720 });
  });

  test('prints X, closes the shift by a count, and prints Z', async () => {
    await press('Smena', true);
    await press('X-hisobot');
    await page.frameLocator('iframe').getByText('X-hisobot').waitFor();
    await page.getByRole('button', { name: 'Yopish', exact: true }).click();
    await page.getByLabel('Naqd, UZS · kutiladi').fill('1');
    await press('Smenani yopish, Z-hisobot');
    await page.locator('div', { hasText: 'Izoh' }).locator('.problem:not(:empty)').waitFor();
    await page.getByLabel('Izoh').fill('Kassa bo‘sh');
    await press('Smenani yopish, Z-hisobot');
    await page.frameLocator('iframe').getByText('Z-hisobot').waitFor();
    await page.getByRole('button', { name: 'Yopish', exact: true }).click();
  });

  test('another cashier takes over the till', async () => {
    await press('Chiqish');
    await page.getByLabel('Login').fill('branch-cashier');
    await press('Kirish');
    await press('Smenani ochish');
    await sell(WATER);
    await page.getByText('Sotildi, chek').waitFor();
    expect((await sales())[0]).toMatchObject({ cashbox_id: 4, shift_id: expect.any(Number) });
  });

  describe('disturbed', () => {
    beforeEach(async () => {
      await context.close();
      await openContext();
      await page.goto(`${service.address}/till`);
      await signIn('cashier');
    });

    test('an unreadable number is an error of its field, and nothing is sent', async () => {
      const sent: string[] = [];
      const note = (request: Request) =>
        void (/company\/sync/.test(request.url()) || sent.push(request.url()));
      const walk = async (...labels: string[]) => {
        page.on('request', note);
        for (const label of labels) {
          const input = page.getByLabel(label);
          for (const text of UNREADABLE) {
            await input.fill(text);
            await input.press('Enter');
            await page.locator('div', { has: input }).getByText('Bu son emas.').waitFor();
          }
          await input.fill('');
        }
        page.off('request', note);
      };
      await sell(WATER);
      await press('Keyingi savdo');
      await scan(TEA);
      await press('O‘zgartirish: Choy');
      await walk('Miqdor', 'Chegirma');
      await page.getByRole('dialog').getByRole('button', { name: 'Yopish' }).click();
      const preview = page.waitForResponse('**/sale/preview');
      await press('To‘lovga 12 500');
      await preview;
      await walk('Naqd olindi', 'Dollar', 'Karta');
      await press('Smena', true);
      await page.getByLabel('Naqd, UZS').waitFor();
      await walk('Naqd, UZS');
      await press('Qaytarish', true);
      await page.getByLabel('Chek raqami').fill('1$');
      await press('Ochish');
      await page.getByText('Bu son emas.').waitFor();
      await page.locator('li', { hasText: '#' }).getByRole('button').first().click();
      await page.getByLabel('Suv 1,5 l').waitFor();
      await walk('Suv 1,5 l');
      expect(sent).toEqual([]);
    });

    test('a payment refused late, on any screen, keeps the next cart, and the refusal for a person', async () => {
      const places = ['Savdo', 'Rezerv', 'Qaytarish', 'Smena', 'Aloqa bor'];
      for (const place of places) {
        await takeTea('5000', '62 500 000');
        const free = await holdCall('**/company/trade/sale');
        await press('To‘lash');
        await press('Savdo', true);
        await scan(WATER);
        await press(place);
        const answer = page.waitForResponse('**/company/trade/sale');
        free();
        expect((await answer).status()).toBe(422);
        await press('Savdo', true);
        await press('To‘lovga 4 000');
        await press('Orqaga');
        await press('Tozalash');
      }
      await page.getByRole('button', { name: `Rad etilgan: ${places.length}` }).waitFor();
    });

    test('a sale answered by 401 is made once, by the next sign-in', async () => {
      const before = (await sales()).length;
      for (const path of ['**/company/trade/sale', '**/company/trade/sale/sync'])
        await page.route(path, (route) => route.fulfill({ status: 401, json: { message: '401' } }), {
          times: 1,
        });
      await scan(TEA);
      await page.keyboard.press('F9');
      await press('To‘lash');
      await signIn('cashier');
      await page.getByRole('button', { name: 'Aloqa bor', exact: true }).waitFor();
      expect(await sales()).toHaveLength(before + 1);
    });

    test('a second page waits until the first is closed, and has its cart', async () => {
      await scan(TEA);
      const first = page;
      page = await context.newPage();
      await page.goto(`${service.address}/till`);
      await page.getByText('Kassa boshqa oynada ochiq.').waitFor();
      await first.close();
      await page.getByRole('button', { name: 'To‘lovga 12 500' }).waitFor();
    });

    test('a hold whose answer was lost or late is made once, and leaves the next cart alone', async () => {
      const holds = async () => (await call('director', 'GET', '/company/trade/hold')).data.length;
      const before = await holds();
      const dialog = page.getByRole('dialog');
      const holding = dialog.getByRole('button', { name: 'Olib qo‘yish' });
      await scan(TEA);
      await press('Olib qo‘yish');
      await dialog.getByLabel('Kim uchun').fill('Aziza opa');
      await loseAnswer('**/company/trade/hold');
      await holding.click();
      await dialog.getByText('Buning uchun aloqa kerak.').waitFor();
      await dialog.getByRole('button', { name: 'Yopish' }).click();
      await press('Olib qo‘yish');
      await holding.click();
      await page.getByText('Tovarni skanerlang').waitFor();
      expect(await holds()).toBe(before + 1);
      await scan(TEA);
      await press('Olib qo‘yish');
      await dialog.getByLabel('Kim uchun').fill('Bobur aka');
      const free = await holdCall('**/company/trade/hold');
      await holding.click();
      await page.keyboard.press('Escape');
      await press('Tozalash');
      await scan(WATER);
      free();
      await page.getByText(/Rezerv № \d/).waitFor();
      await press('Rezerv', true);
      await press('Sotish');
      await page.getByText('Avval chekni tugating.').waitFor();
      await press('Savdo', true);
      await page.getByRole('button', { name: 'To‘lovga 4 000' }).waitFor();
    });

    test('a return whose answer was lost is made once, and shown when it is asked for again', async () => {
      await sell(TEA);
      const [{ id }] = await sales();
      await press('Qaytarish', true);
      await page.getByLabel('Chek raqami').fill(`#${id}`);
      await page.locator('form').getByRole('button', { name: 'Ochish' }).click();
      await page.getByLabel('Choy').fill('1');
      await page.getByText('Qaytariladigan pul 12 500').waitFor();
      await loseAnswer('**/return');
      const giving = page.locator('form').getByRole('button', { name: 'Qaytarish' });
      await giving.click();
      await page.getByText('Buning uchun aloqa kerak.').waitFor();
      await page.getByLabel('Choy').fill('');
      await page.getByLabel('Choy').fill('1');
      await giving.click();
      await page.getByText('Qaytarib olindi').waitFor();
      expect((await sales())[0]).toMatchObject({ id, returned_amount: 12_500 });
    });

    test('a quantity corrected during a refused preview counts', async () => {
      await sell(TEA);
      const [{ id }] = await sales();
      await press('Qaytarish', true);
      await page.getByLabel('Chek raqami').fill(`#${id}`);
      await page.locator('form').getByRole('button', { name: 'Ochish' }).click();
      const free = await holdCall('**/return/preview');
      await page.getByLabel('Choy').fill('3');
      await page.getByLabel('Choy').fill('1');
      free();
      await page.getByText('Qaytariladigan pul 12 500').waitFor();
    });

    test('a sale without a network waits for its desk, and keeps its seller', async () => {
      await sell(WATER);
      const [{ creator_id }] = await sales();
      const before = (await sales()).length;
      await press('Keyingi savdo');
      await context.setOffline(true);
      await sell(WATER);
      await press('Chiqish');
      await context.setOffline(false);
      await signIn('branch-cashier');
      await page.waitForResponse('**/company/sync?*');
      await page.getByRole('button', { name: 'Yuborilmagan: 1' }).waitFor();
      await press('Chiqish');
      await signIn('director');
      await page.getByLabel('Kassa').selectOption('3');
      await press('Kirish');
      await page.getByRole('button', { name: 'Aloqa bor', exact: true }).waitFor();
      expect(await sales()).toHaveLength(before + 1);
      expect((await sales())[0]).toMatchObject({ cashbox_id: 3, creator_id });
    });

    test('a retry whose answer was lost shows what became of the sale', async () => {
      const before = (await sales()).length;
      await context.setOffline(true);
      await takeTea('2000', '25 000 000');
      await press('To‘lash');
      await page.getByText('Aloqasiz sotildi').waitFor();
      await context.setOffline(false);
      await page.getByRole('button', { name: 'Rad etilgan: 1' }).click();
      await receive(2000);
      await loseAnswer('**/company/trade/sale/sync');
      await press('Yana urinish');
      await page.getByRole('button', { name: 'Aloqa bor', exact: true }).waitFor();
      expect(await sales()).toHaveLength(before + 1);
    });

    test('a failing disk is shown, sells nothing twice, and does not stop the sending', async () => {
      const before = (await sales()).length;
      const fail = (method: string) =>
        page.evaluate(`{
          const store = IDBObjectStore.prototype, before = store.${method};
          store.${method} = () => { throw new Error('the disk is full'); };
          globalThis.mend = () => { store.${method} = before; };
        }`);
      await scan(WATER);
      await page.keyboard.press('F9');
      await fail('put');
      await press('To‘lash');
      await page.locator('form').getByText('the disk is full').waitFor();
      expect(await sales()).toHaveLength(before);
      await page.evaluate('mend()');
      await fail('delete');
      await press('To‘lash');
      await page.getByText('Sotildi, chek').waitFor();
      await page.evaluate('mend()');
      await fail('getAll');
      await page.waitForResponse('**/company/trade/sale/sync', { timeout: 5000 }).catch(() => undefined);
      await page.evaluate('mend()');
      await press('Keyingi savdo');
      await page.getByRole('button', { name: 'Aloqa bor', exact: true }).waitFor();
      expect(await sales()).toHaveLength(before + 1);
      complaints.length = 0;
    });

    test('a second Enter leaves the change on the screen', async () => {
      await scan(WATER);
      await page.keyboard.press('F9');
      // The second Enter comes before the timers, however slow the machine is.
      await page.evaluate('globalThis.setTimeout = () => 0');
      await page.getByLabel('Naqd olindi').press('Enter');
      await page.getByText('Sotildi, chek').waitFor();
      await page.keyboard.press('Enter');
      await page.getByText('Qaytim 0').waitFor();
    });
  });

  test('goods scanned twice share a line, a mark counts once, and no line is left of an emptied hold', () => {
    const piece = { product_id: 1, name: '', price: 100, quantity: ONE, discount: 0, isFreePrice: false };
    const once = addLine(EMPTY_CART, { ...piece, marks: ['a'] });
    const twice = addLine(once, { ...piece, price: 200, marks: ['b'] });
    expect(twice.lines).toMatchObject([{ price: 100, quantity: 2 * ONE, marks: ['a', 'b'] }]);
    expect(addLine(twice, { ...piece, marks: ['b'] })).toBe(twice);
    const [line = { ...piece, marks: [] }] = twice.lines;
    expect(changeLine({ ...twice, hold_id: 1 }, line, { quantity: 0 })).toEqual(EMPTY_CART);
  });

  const search = () => page.getByRole('searchbox');

  async function openContext(): Promise<void> {
    context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    await context.addInitScript(SLOWLY);
    page = await context.newPage();
    page.setDefaultTimeout(MAX_WAIT_MS);
    page.on('pageerror', ({ message }) => complaints.push(message));
    page.on('request', (request) => {
      if (!/^(data|about):/.test(request.url()) && !request.url().startsWith(service.address))
        complaints.push(request.url());
    });
  }

  /** Signs in, and opens a shift if the desk has none. */
  async function signIn(username: string): Promise<void> {
    await page.getByLabel('Login').fill(username);
    await page.getByLabel('Parol').fill(DEMO_PASSWORD);
    await press('Kirish');
    const opening = page.getByRole('button', { name: 'Smenani ochish' });
    await opening.or(search()).or(page.getByLabel('Kassa')).first().waitFor();
    if (await opening.isVisible()) await opening.click();
  }

  /** Loses the next answer of a path; the service has carried the call out. */
  async function loseAnswer(path: string): Promise<void> {
    const lose = async (route: Route) => {
      await route.fetch();
      await route.abort();
    };
    await page.route(path, lose, { times: 1 });
  }

  /** Receives tea, which makes a refused sale possible. */
  async function receive(quantity: number): Promise<void> {
    const goods = { products: [{ product_id: 2, quantity, cost: 9000 }] };
    const receipt = { stock_id: 1, supplier_id: 1, currency: 'uzs', ...goods };
    const { id } = await call('director', 'POST', '/company/trade/purchase', receipt);
    await call('director', 'PATCH', `/company/trade/purchase/${id}/complete`);
  }

  /** Types a code as a scanner does, wherever the focus is. */
  async function scan(code: string): Promise<void> {
    const lines = page.locator('aside li b');
    await search().waitFor();
    const count = await lines.count();
    await page.keyboard.type(code);
    await page.keyboard.press('Enter');
    await lines.nth(count).waitFor();
  }

  /** Puts a quantity of tea into the cart, and goes to its payment. */
  async function takeTea(quantity: string, amount: string): Promise<void> {
    await scan(TEA);
    await press('O‘zgartirish: Choy');
    await page.getByLabel('Miqdor').fill(quantity);
    await press('Saqlash');
    await press(`To‘lovga ${amount}`);
  }

  /** Holds the next call of a path until it is let go. */
  async function holdCall(path: string): Promise<() => void> {
    const { promise: freed, resolve: free } = Promise.withResolvers<void>();
    const pass = async (route: Route) => {
      await freed;
      await route.continue();
    };
    await page.route(path, pass, { times: 1 });
    return free;
  }

  /** Sells one piece; without more for cash. */
  async function sell(code: string, pay = async () => {}): Promise<void> {
    await scan(code);
    await page.keyboard.press('F9');
    await pay();
    await press('To‘lash');
    await page.getByRole('button', { name: 'Keyingi savdo' }).waitFor();
  }

  async function press(name: string, exact = false): Promise<void> {
    await page.getByRole('button', { name, exact }).first().click();
  }

  async function picture(name: string): Promise<void> {
    if (!process.env['PICTURES']) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.waitForTimeout(300);
    await page.screenshot({ path: join(PICTURES, `${name}.png`) });
  }

  async function sales(): Promise<readonly [{ id: number; creator_id: number }, ...unknown[]]> {
    return (await call('director', 'GET', '/company/trade/sale')).data;
  }

  async function call(username: string, method: string, path: string, body?: object) {
    const headers = { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() };
    const login = JSON.stringify({ username, password: DEMO_PASSWORD });
    const signing = { method: 'POST', headers, body: login };
    const { token } = Object(await (await fetch(`${service.address}/common/auth/login`, signing)).json());
    const authorized = { ...headers, authorization: `Bearer ${token}` };
    const answer = await fetch(service.address + path, {
      ...{ method, headers: authorized, ...(body && { body: JSON.stringify(body) }) },
    });
    expect(answer.status).toBe(200);
    return Object(await answer.json());
  }
});
