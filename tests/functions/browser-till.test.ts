import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { expect, inject, onTestFinished, test } from 'vitest';
import { listen } from '#bin/cli/listen.ts';
import { newAdministrator, PASSWORD } from '#tests/support/administrator.ts';
import { launchChromium, openPage } from '#tests/support/browser.ts';
import { picture } from '#tests/support/files.ts';
import { CHROMIUM, WITHOUT_CHROMIUM } from '#tests/support/machine.ts';
import { newGoods, newShop, piecesOf, type Shop } from '#tests/support/shop.ts';

const PAGE = new URL('../fixtures/till.html', import.meta.url);

test('a till of another origin signs in, finds what a keyboard can type, sells, takes back and sends a picture (Contract 9.132)', async ({
  skip,
}) => {
  if (!CHROMIUM) return skip(WITHOUT_CHROMIUM);
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 5, cost: 1 }], { name: 'Ko‘k choy' });
  const { companyId: company_id } = shop;
  const username = await newAdministrator({ type: 'director', company_id, family_id: company_id });
  const { page, complaints } = await visit(CHROMIUM, await servePage(shop));

  await page.getByLabel('Username').fill(username);
  await page.getByLabel('Password').fill('a wrong password');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Refused: ').waitFor();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('Signed in').waitFor();

  await page.getByLabel('Goods').fill("ko'k");
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Sell Ko‘k choy' }).click();
  await page.getByText('Sold for 5000').waitFor();
  expect(await piecesOf(shop, id)).toBe(4);

  await page.getByRole('button', { name: 'Return' }).click();
  await page.getByText('Returned').waitFor();
  expect(await piecesOf(shop, id)).toBe(5);

  const image = await picture('png', 30, 10);
  const buffer = Buffer.from(await image.arrayBuffer());
  await page.getByLabel('Picture').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer });
  await page.getByText('Picture sent').waitFor();
  // The browser's own message about the wrong password; it would also report blocked calls.
  expect(complaints).toEqual([expect.stringContaining('422')]);
});

/** Serves the page at an origin of its own, and returns its address for a shop. */
async function servePage({ stockId, cashboxId }: Shop): Promise<string> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').end(readFileSync(PAGE));
  });
  const { address, stop } = await listen(server);
  onTestFinished(stop);
  const terms = { api: inject('address'), stock: `${stockId}`, desk: `${cashboxId}` };
  return `${address}/?${new URLSearchParams(terms)}`;
}

/** Visits an address in a browser, and collects its console errors. */
async function visit(executablePath: string, address: string) {
  const browser = await launchChromium(executablePath);
  onTestFinished(() => browser.close());
  const page = await openPage(browser);
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  page.on('console', (said) => {
    if (said.type() === 'error' && !said.location().url.endsWith('/favicon.ico'))
      complaints.push(said.text());
  });
  await page.goto(address);
  return { page, complaints };
}
