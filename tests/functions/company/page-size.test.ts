import { expect, test } from 'vitest';
import * as z from 'zod';
import { discoverRoutes } from '#infra/routes.ts';
import { PAGES, requestsOf } from '#tests/support/contract.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { idsOf } from '#tests/support/records.ts';
import { newShop } from '#tests/support/shop.ts';
import { newCards } from '#tests/support/stock.ts';

const Paged = z.union([
  z.object({ pageSize: z.int() }),
  z.object({ 'page-size': z.int() }).transform((query) => ({ pageSize: query['page-size'] })),
]);

/** Lists of `/company/` with the schema of their query. */
const lists = (await discoverRoutes('company')).flatMap(({ path, endpoints }) => {
  const { query, isPaged } = endpoints.GET?.metadata ?? {};
  return query && isPaged ? [{ path, query }] : [];
});

const DEFINED = new Set(
  (['part-1.md', 'part-2.md', 'part-3.md'] as const).flatMap((page) => PAGES[page].flatMap(requestsOf)),
);

const isDefined = ({ path }: { readonly path: string }) => DEFINED.has(`GET ${path}`);

/** Required parameters of a list. */
const needed = (path: string) => {
  if (!path.startsWith('/company/report/')) return {};
  return { filter: path.endsWith('/products') ? { date: { 0: '2026-11-01', 1: '2026-11-30' } } : {} };
};

test('there are lists of both kinds', () => {
  expect(lists.filter(isDefined).length).toBeGreaterThan(8);
  expect(lists.length - lists.filter(isDefined).length).toBeGreaterThan(20);
});

test.each(lists.filter((list) => !isDefined(list)))(
  '$path has pages of up to 200 rows, of 20 unless asked (Part 4, 4.1)',
  ({ path, query }) => {
    const sizeOf = (given: object) => {
      const asked = query.safeParse({ ...needed(path), ...given });
      return Paged.safeParse(asked.data).data?.pageSize;
    };
    expect([sizeOf({}), sizeOf({ 'page-size': 200 }), sizeOf({ 'page-size': 201 })]).toEqual([
      20,
      200,
      undefined,
    ]);
  },
);

test.each(lists.filter(isDefined))('$path keeps the page that Parts 1 to 3 give it', ({ path, query }) => {
  const most = path === '/company/trade/inventory' ? 10 : 20;
  expect(Paged.parse(query.parse({})).pageSize).toBe(most);
  expect(query.safeParse({ 'page-size': most + 1 }).success).toBe(false);
});

test('a page of 200 products is one call', async () => {
  const family = await newFamily();
  const ids = await Promise.all([newCards(family, 100), newCards(family, 100), newCards(family, 5)]);
  const path = '/company/product/product';
  expect(await idsOf(path, family.director, 'page-size=200')).toEqual(
    ids
      .flat()
      .sort((a, b) => a - b)
      .slice(0, 200),
  );
});

test('a page that a function can not hand over is 422 on page-size', async () => {
  const family = await newFamily();
  // Such cards can't be created over HTTP: 40 kilobytes of quotes each.
  await newCards(family, 90, { description: '"'.repeat(40_000) });
  const ask = (size: number) =>
    call(`GET /company/product/product?page-size=${size}`, { token: family.director });
  expect(await ask(90)).toMatchObject({
    status: 422,
    body: { codes: { 'page-size': ['list.page_too_large'] } },
  });
  expect((await ask(20)).status).toBe(200);
});

test('products are filtered by several barcodes at once (Part 4, 4.1)', async () => {
  const shop = await newShop();
  const [first, second, third] = await newCards(shop, 3);
  const filters = [first, third].map((id) => `filter[barcode][]=47800-${id}`).join('&');
  expect(await idsOf('/company/product/product', shop.director, filters)).toEqual([first, third]);
  expect(await idsOf('/company/product/product', shop.director, `filter[barcode]=47800-${second}`)).toEqual([
    second,
  ]);
});
