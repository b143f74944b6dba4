import { expect, test } from 'vitest';
import { discoverRoutes } from '#infra/routes.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';

test('whatever takes files in bulk, or makes examples of them, has a limit a user', async () => {
  const limited = (await discoverRoutes()).flatMap(({ path, endpoints }) =>
    Object.entries(endpoints)
      .filter(
        ([, { metadata }]) =>
          /upload|\/import$|\/download-example$/.test(path) && metadata.limit === undefined,
      )
      .map(([method]) => `${method} ${path}`),
  );
  expect(limited).toEqual([]);
});

test('what counts its calls may write the count, a GET too', async () => {
  const reading = (await discoverRoutes()).flatMap(({ path, endpoints }) =>
    Object.entries(endpoints)
      .filter(([method, { metadata }]) => method === 'GET' && metadata.limit !== undefined)
      .filter(([, { metadata }]) => !metadata.uses?.includes('table:write'))
      .map(() => path),
  );
  expect(reading).toEqual([]);
});

test('imports and examples are 429 with Retry-After after twenty in a minute, whatever their outcome, for one user', async () => {
  const [{ director: token }, other] = await Promise.all([newFamily(), newFamily()]);
  const send = (by: string) =>
    call('POST /company/product/brand/import', { token: by, form: new FormData() });
  for (let each = 0; each < 20; each++) expect((await send(token)).status).toBe(422);
  const refused = await send(token);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  for (const noun of ['brand', 'product']) {
    const request = `GET /company/product/${noun}/download-example`;
    expect((await call(request, { token })).status).toBe(429);
    expect((await call(request, { token: other.director })).status).toBe(200);
  }
  expect((await send(other.director)).status).toBe(422);
});

test('payments by card are 429 after twenty in an hour of one user: each sends an SMS', async () => {
  const [{ director: token }, other] = await Promise.all([newFamily(), newFamily()]);
  const pay = (by: string) => call('POST /company/tariff/pay-card', { token: by, json: {} });
  for (let each = 0; each < 20; each++) expect((await pay(token)).status).toBe(422);
  expect((await pay(token)).status).toBe(429);
  expect((await pay(other.director)).status).toBe(422);
});
