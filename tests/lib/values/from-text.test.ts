import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nest } from '#lib/values/from-text.ts';

const read = (query: string) => JSON.parse(JSON.stringify(nest(new URLSearchParams(query))));

test('brackets spell nesting and lists', () => {
  expect(read('filter[id][]=1&filter[id][]=2&filter[created_at][0]=2026-01-01&sort[]=-id&page=2')).toEqual({
    filter: { id: ['1', '2'], created_at: { 0: '2026-01-01' } },
    sort: ['-id'],
    page: '2',
  });
});

test('brackets may come percent-encoded', () => {
  expect(read('filter%5Bname%5D=art&with%5B%5D=company')).toEqual({
    filter: { name: 'art' },
    with: ['company'],
  });
});

test('a dotted name within brackets stays one name', () => {
  expect(read('filter[companies_responsibility.id]=7')).toEqual({
    filter: { 'companies_responsibility.id': '7' },
  });
});

test('no name reaches a prototype', () => {
  read('__proto__[polluted]=1&constructor[prototype][polluted]=1&a[__proto__][polluted]=1');
  expect(Object.keys({})).toEqual([]);
  expect('polluted' in {}).toBe(false);
});

test('any query string is read without an error', () => {
  const part = fc.string({ unit: fc.constantFrom('a', '[', ']', '=', '&', '0', '_', '%5B') });
  fc.assert(fc.property(part, (query) => nest(new URLSearchParams(query)) !== undefined));
});
