import { expect, test } from 'vitest';
import { pageResponse } from '#lib/http/listing.ts';

const URL_OF_LIST = new URL('https://api.example/company/product/brand?filter[name]=a&page=2');

function pageOf(page: number, total: number, pageSize = 20) {
  const count = Math.max(0, Math.min(pageSize, total - (page - 1) * pageSize));
  return pageResponse(URL_OF_LIST, {
    rows: Array.from({ length: count }, (_, index) => index),
    total,
    page,
    pageSize,
  });
}

test('a middle page counts from and to, and links both ways with the other parameters kept', () => {
  const { links, meta } = pageOf(2, 45);
  expect(meta).toMatchObject({ current_page: 2, from: 21, to: 40, last_page: 3, per_page: 20, total: 45 });
  expect(meta.path).toBe('https://api.example/company/product/brand');
  const numbers = [links.first, links.prev, links.next, links.last].map((link) => {
    const { searchParams } = new URL(String(link));
    return [searchParams.get('page'), searchParams.get('filter[name]')];
  });
  expect(numbers).toEqual([
    ['1', 'a'],
    ['1', 'a'],
    ['3', 'a'],
    ['3', 'a'],
  ]);
});

test('prev and next are null at the ends of a list', () => {
  expect(pageOf(1, 45).links).toMatchObject({ prev: null, next: expect.any(String) });
  expect(pageOf(3, 45).links).toMatchObject({ prev: expect.any(String), next: null });
});

test('an empty page has null from and to, and a last page of at least 1', () => {
  expect(pageOf(1, 0).meta).toMatchObject({ from: null, to: null, last_page: 1, total: 0 });
  expect(pageOf(9, 45).meta).toMatchObject({ from: null, to: null, current_page: 9, total: 45 });
});

test.each([
  [1, 3, 'Previous 1 2 3 Next'],
  [5, 13, 'Previous 1 2 3 4 5 6 7 8 9 10 11 12 13 Next'],
  [1, 30, 'Previous 1 2 3 4 5 6 7 8 9 10 ... 29 30 Next'],
  [15, 30, 'Previous 1 2 ... 12 13 14 15 16 17 18 ... 29 30 Next'],
  [30, 30, 'Previous 1 2 ... 21 22 23 24 25 26 27 28 29 30 Next'],
])('page %i of %i shows the window %s', (page, last, shown) => {
  const { links } = pageOf(page, last * 20).meta;
  expect(links.map(({ label }) => label.replace(/&[lr]aquo;/, '').trim()).join(' ')).toBe(shown);
  expect(links.filter(({ active }) => active).map(({ label }) => label)).toEqual([String(page)]);
});
