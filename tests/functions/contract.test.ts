import { expect, test } from 'vitest';
import { discoverRoutes } from '#infra/routes.ts';
import { textOf } from '#tests/conventions/files.ts';
import { CONTRACT, PAGES, requestsOf } from '#tests/support/contract.ts';

/** Operations that we serve beyond the contract; `...six('/company/…')` lists those of a record. */
const OURS = [
  'GET /company/user/activity',
  'POST /common/public/upload-form',
  'GET /partner/company/{model}',
  'GET /company/trade/recalculation-batch/{model}/products',
  'GET /company/trade/purchase/{model}/products',
  'GET /company/trade/transfer/stocks',
  'GET /company/trade/writeoff/{model}/products',
].flatMap(requestsOf);

/** Operations that a table lists once and we serve as a route for each type. */
const BY_TYPE = new Set(['POST /common/public/create-record/{type}']);

const served = (await discoverRoutes()).flatMap(({ path, endpoints }) =>
  Object.keys(endpoints).map((method) => `${method} ${path}`),
);

test('the contract names each operation once', () => {
  expect(CONTRACT).toHaveLength(new Set(CONTRACT).size);
});

test('every operation of the contract is served', () => {
  expect(CONTRACT.filter((request) => !served.includes(request))).toEqual([]);
});

test('what is served beyond the contract is exactly what is ours', () => {
  expect(served.filter((request) => !CONTRACT.includes(request)).sort()).toEqual(OURS.toSorted());
});

test.each(['part-1.md', 'part-2.md', 'part-3.md'])(
  'every operation that a table of %s lists is promised',
  (page) => {
    const rows = textOf(`docs/contract/${page}`).matchAll(/^\| ([A-Z]+) \| `([^`?]+)/gm);
    const listed = [...rows].map(([, method, path]) => `${method} ${path}`);
    expect(listed.length).toBeGreaterThan(20);
    expect(listed.filter((request) => !BY_TYPE.has(request) && !CONTRACT.includes(request))).toEqual([]);
  },
);

test.each(Object.entries(PAGES))('%s names the nouns that are promised under it', (page, lines) => {
  const text = textOf(`docs/contract/${page}`);
  const nouns = lines.map(
    (line) =>
      `/${line
        .split('/')
        .slice(1, 4)
        .join('/')
        .replace(/\/\{.*/, '')}`,
  );
  // A table may have the folder of its rows above them: `/company/report/…`, then `sales`; or `under
  // /company/client`, then `/debt`.
  const isNamed = (noun: string) => {
    const [folder, row] = [noun.replace(/\/[^/]+$/, ''), noun.split('/').at(-1)];
    const isUnder = text.includes(`(under \`${folder}\`)`) && text.includes(`| \`/${row}`);
    return (
      text.includes(noun) || isUnder || (text.includes(`${folder}/…`) && text.includes(`| \`${row}\` |`))
    );
  };
  expect(nouns.filter((noun) => !isNamed(noun))).toEqual([]);
});
