import { expect, test } from 'vitest';
import { discoverRoutes } from '#infra/routes.ts';
import { textOf } from '#tests/house/files.ts';
import { CONTRACT } from '#tests/kit/contract.ts';

/** Operations that we serve beyond the contract. */
const OURS = [
  'POST /common/public/upload-form',
  'GET /partner/company/{model}',
  'GET /company/trade/recalculation-batch/{model}/products',
];

/** Operations that a table lists once and we serve as a route for each type. */
const BY_TYPE = new Set(['POST /common/public/create-record/{type}']);

const promised = CONTRACT.map(({ request }) => request);
const missing = CONTRACT.filter(({ isLater }) => isLater).map(({ request }) => request);

const served = (await discoverRoutes()).flatMap(({ path, endpoints }) =>
  Object.keys(endpoints).map((method) => `${method} ${path}`),
);

test('the contract names each operation once', () => {
  expect(promised).toHaveLength(new Set(promised).size);
});

test('every operation of the contract is served, or is to come later', () => {
  expect(promised.filter((request) => !served.includes(request) && !missing.includes(request))).toEqual([]);
});

test('no served operation is listed to come later', () => {
  expect(missing.filter((request) => served.includes(request))).toEqual([]);
});

test('nothing is served that the contract does not name, except what is ours', () => {
  expect(served.filter((request) => !promised.includes(request)).sort()).toEqual(OURS.toSorted());
});

test.each(['part-1.md', 'part-2.md', 'part-3.md'])(
  'every operation that a table of %s lists is promised',
  (page) => {
    const rows = textOf(`docs/contract/${page}`).matchAll(/^\| ([A-Z]+) \| `([^`?]+)/gm);
    const listed = [...rows].map(([, method, path]) => `${method} ${path}`);
    expect(listed.length).toBeGreaterThan(20);
    expect(listed.filter((request) => !BY_TYPE.has(request) && !promised.includes(request))).toEqual([]);
  },
);
