import { expect, test } from 'vitest';
import { discoverRoutes } from '#infra/routes.ts';
import { isMoving, takesKey, WITHOUT_KEY } from '#tests/support/moving.ts';

const operations = (await discoverRoutes()).flatMap(({ path, endpoints }) =>
  Object.entries(endpoints)
    .filter(([method]) => method === 'POST' || method === 'PATCH')
    .map(([method, { metadata }]) => ({ request: `${method} ${path}`, metadata })),
);

const moving = operations.filter(({ request }) => isMoving(request));

test('there are operations that move goods or money', () => {
  expect(moving.length).toBeGreaterThan(20);
});

test.each(moving.filter(({ request }) => takesKey(request)))(
  '$request heeds Idempotency-Key',
  ({ metadata }) => {
    expect(metadata.idempotent).toBe(true);
  },
);

test('every exception is an operation that takes no key', () => {
  const keyless = moving.filter(({ metadata }) => !metadata.idempotent).map(({ request }) => request);
  expect(Object.keys(WITHOUT_KEY).filter((request) => !keyless.includes(request))).toEqual([]);
});
