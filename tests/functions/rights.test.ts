import { expect, test } from 'vitest';
import { discoverRoutes, METHODS, type Method, type Route } from '#infra/routes.ts';
import { hasRight } from '#lib/auth/actor.ts';
import { RIGHTS } from '#lib/auth/rights.ts';
import { directorAs } from '#tests/support/family.ts';

const OPERATIONS: Record<string, Partial<Record<Method, string>>> = {
  index: { GET: 'index', POST: 'store' },
  // A card's PATCH has the right of its PUT. Part 5, 5B.10.
  model: { GET: 'show', PUT: 'update', PATCH: 'update', DELETE: 'destroy' },
  number: { GET: 'show', PUT: 'update', DELETE: 'destroy' },
  company: { GET: 'show', PUT: 'update' },
};

/** Rights named differently from their paths by the contract. */
const NAMED: Readonly<Record<string, string>> = {
  // Contract 9.54; Contract 9.60.
  'GET /company/tariff': 'company.tariff.show',
  'POST /company/tariff/pay-card/confirm': 'company.tariff.confirm',
  'POST /company/cashbox/operation/collection': 'company.cashbox.operation.collection',
  // Part 5, 5B.5.
  'POST /company/trade/sale/preview': 'company.trade.sale.store',
  'POST /company/trade/sale/{model}/return/preview': 'company.trade.sale.return',
  'POST /company/trade/sale/{model}/exchange/preview': 'company.trade.sale.exchange',
  // Part 4, 4.3.
  'PUT /company/product/product/sync': 'company.product.product.store',
  // Part 4, 4.4, 4.
  'POST /company/trade/sale/sync': 'company.trade.sale.store',
  // Part 4, 4.6, 4.
  'PATCH /company/trade/sale/{model}/return/{return_id}/fiscal': 'company.trade.sale.fiscal',
  // Part 4, 4.2, 6.
  'POST /company/webhook/{model}/deliveries/{delivery}/redeliver': 'company.webhook.redeliver',
  // Part 5, 5B.2.
  'GET /company/user/role/rights': 'company.user.role.index',
  'GET /admin/user/role/rights': 'admin.user.role.index',
  // Part 5, 5A.3.
  'POST /company/stock/supplier/{model}/operations/{operation}/reverse': 'company.stock.supplier.reverse',
};

/** Rights required by parts of a body. */
const OF_BODIES = [
  // Part 4, 4.4, 2.
  'company.trade.sale.creator',
  'company.trade.sale.late',
  // Part 4, 4.4, 5.
  'company.trade.sale.refused.accept-prices',
  // Part 4, 4.6, 2.
  'company.client.client.exceed-limit',
  // Part 5, 5A.6.
  'company.client.client.deposit-payout',
  // Part 5, 5A.14 (2).
  'company.trade.sale.price-type',
  // Part 5, 5A.5 (1).
  'company.trade.transfer.short',
  // Part 5, 5A.5 (4).
  'company.cashbox.operation.collection.difference',
  // Part 5, 5A.9.
  'company.company.close-books',
  'company.company.reopen-books',
];

/** Rights that extend a caller's reach beyond its own records. Contract 9.141. */
const OF_REACH = ['company.trade.cashbox-shift.all'];

/** Rights of callers from outside. */
const FROM_OUTSIDE = new Set<string>(['external', 'gateway']);

const routes = await discoverRoutes();

const operations = routes.flatMap((route) =>
  METHODS.flatMap((method) => {
    const endpoint = route.endpoints[method];
    return endpoint ? [{ method, path: route.path, right: endpoint.metadata.right, route }] : [];
  }),
);

test.each(operations)('$method $path names the right its path spells', ({ method, right, route }) => {
  // Part 4, 4.1: it requires the right to list each requested type.
  if (route.path === '/company/sync') return expect(right).toBe('staff');
  // Part 4, 4.3: a key learns of itself without any right.
  if (route.path === '/company/user/key/me') return expect(right).toBe('staff');
  if (!right.includes('.'))
    return expect(route.path).toMatch(FROM_OUTSIDE.has(right) ? /^\/external\// : /^\/common\//);
  expect(right).toBe(NAMED[`${method} ${route.path}`] ?? rightOf(route, method));
});

test('a role may give the rights of operations, and no others (Contract 9.91)', () => {
  const asked = routes.flatMap(({ endpoints }) =>
    METHODS.flatMap((method) => {
      const { right = '', orRight = '', andRight = '' } = endpoints[method]?.metadata ?? {};
      return [right, orRight, andRight].filter((each) => each.includes('.'));
    }),
  );
  expect([...RIGHTS].sort()).toEqual([...new Set([...asked, ...OF_BODIES, ...OF_REACH])].sort());
});

test.each([
  ['company.trade.sale', '(Contract 9.104)'],
  ['company.trade.cashbox-shift', 'as any other'],
])('%s.* holds all that begins so, %s', (noun) => {
  const employee = { ...directorAs(1, 1), type: 'employee', rights: [`${noun}.*`] } as const;
  const held = RIGHTS.filter((right) => hasRight(employee, right));
  expect(held).toEqual(RIGHTS.filter((right) => right.startsWith(`${noun}.`)));
  expect(held.length).toBeGreaterThan(6);
});

/**
 * Spells a right: the path with dots and the operation, or only the path if its last word is the operation.
 * Contract 3.
 */
function rightOf({ file, path }: Route, method: Method): string {
  const words = path.split('/').filter((word) => word && !word.startsWith('{'));
  const name =
    file
      .split('/')
      .at(-1)
      ?.replace(/\W|ts$/g, '') ?? '';
  return [...words, OPERATIONS[name]?.[method] ?? []].flat().join('.');
}
