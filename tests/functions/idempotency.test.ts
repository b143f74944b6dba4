import { expect, test } from 'vitest';
import { discoverRoutes } from '#infra/routes.ts';

/** Paths of operations that move goods or money. Decisions, 1, "Idempotency-Key". */
const MOVING = [
  /^\/company\/trade\//,
  /^\/company\/cashbox\/operation/,
  /^\/company\/client\/debt-payment/,
  /^\/company\/stock\/supplier\/\{model\}\/payment$/,
  /^\/company\/tariff\/pay/,
  /^\/admin\/billing\/.*\/deposit$/,
];

/** Operations among them that take no key, each with its reason. */
const WITHOUT_KEY: Readonly<Record<string, string>> = {
  'POST /company/trade/cashbox-shift/expense-reasons':
    'it names an item, and moves nothing; a repetition is 422',
};

const operations = (await discoverRoutes()).flatMap(({ path, endpoints }) =>
  Object.entries(endpoints)
    .filter(([method]) => method === 'POST' || method === 'PATCH')
    .map(([method, { metadata }]) => ({ request: `${method} ${path}`, path, metadata })),
);

const moving = operations.filter(({ path }) => MOVING.some((pattern) => pattern.test(path)));

test('there are operations that move goods or money', () => {
  expect(moving.length).toBeGreaterThan(20);
});

test.each(moving.filter(({ request }) => !(request in WITHOUT_KEY)))(
  '$request heeds Idempotency-Key',
  ({ metadata }) => {
    expect(metadata.idempotent).toBe(true);
  },
);

test('every exception is an operation that takes no key', () => {
  const keyless = moving.filter(({ metadata }) => !metadata.idempotent).map(({ request }) => request);
  expect(Object.keys(WITHOUT_KEY).filter((request) => !keyless.includes(request))).toEqual([]);
});
