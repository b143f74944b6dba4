import { expect, inject, test } from 'vitest';
import * as z from 'zod';
import { discoverRoutes } from '#infra/routes.ts';
import { newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';

const origin = 'https://shop.example';

test('a browser may send what front ends send by themselves, and reads the clock (Contract 9.132)', async () => {
  const asked = await call('OPTIONS /company/product/brand', {
    headers: { origin, 'access-control-request-method': 'POST' },
  });
  const allowed = asked.headers.get('access-control-allow-headers')?.split(',');
  expect(allowed).toEqual(
    expect.arrayContaining([
      ...['X-Requested-With', 'sentry-trace', 'baggage', 'traceparent'],
      ...['Cache-Control', 'Pragma', 'X-Socket-ID', 'X-CSRF-TOKEN'],
    ]),
  );
  const { headers } = await call('GET /company/product/brand', { headers: { origin } });
  expect(headers.get('access-control-expose-headers')?.split(',')).toContain('Date');
  expect(Date.parse(headers.get('date') ?? '')).not.toBeNaN();
});

const Reference = z.object({
  components: z.object({ parameters: z.record(z.string(), z.object({ in: z.string(), name: z.string() })) }),
});

test('a browser may send each header of the reference (Contract 9.132; Part 5, 5B.3)', async () => {
  const { components } = Reference.parse((await call('GET /openapi.json')).body);
  const headers = Object.values(components.parameters).filter((parameter) => parameter.in === 'header');
  // Other systems, which are no browsers, name a company.
  const sent = headers.map(({ name }) => name).filter((name) => !name.startsWith('Company-'));
  const asked = await call('OPTIONS /common/public/enums', {
    headers: { origin, 'access-control-request-method': 'GET' },
  });
  const allowed = asked.headers.get('access-control-allow-headers')?.split(',');
  expect(sent).toEqual(expect.arrayContaining(['Accept-Language', 'Idempotency-Key', 'If-Match']));
  expect(allowed).toEqual(expect.arrayContaining(sent));
});

test('a 401 tells by what to sign in, at every operation (Contract 9.132)', async () => {
  const routes = await discoverRoutes();
  const requests = routes.flatMap(({ path, endpoints }) =>
    Object.keys(endpoints).map((method) => `${method} ${path.replaceAll(/\{\w+\}/g, '1')}`),
  );
  for (const request of requests) {
    const { status, headers } = await call(request, { headers: { authorization: 'Bearer none' } });
    expect([request, headers.get('www-authenticate')]).toEqual([request, status === 401 ? 'Bearer' : null]);
  }
});

test.each(['/', '/docs/'])('%s leads to the reference (Contract 9.132)', async (path) => {
  const address = inject('address');
  const { status, headers } = await fetch(`${address}${path}`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, '/docs']);
  const other = await fetch(`${address}${path}`, { method: 'POST' });
  expect(other.status).toBe(path === '/' ? 404 : 405);
});

const Form = z.object({ url: z.string(), fields: z.record(z.string(), z.string()) });

test('a browser of another origin sends an image to the bucket (Contract 9.132)', async () => {
  const { director: token } = await newFamily();
  const { body } = await call('POST /common/public/upload-form', { token, json: { type: 'image/png' } });
  const { url, fields } = Form.parse(body);
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob(['any']), 'a.png');
  const preflight = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'x-a',
  };
  const [asked, sent] = await Promise.all([
    fetch(url, { method: 'OPTIONS', headers: preflight }),
    fetch(url, { method: 'POST', headers: { origin }, body: form }),
  ]);
  expect([asked.status, sent.status]).toEqual([200, 204]);
  for (const { headers } of [asked, sent]) expect(headers.get('access-control-allow-origin')).toBe('*');
  expect(asked.headers.get('access-control-allow-headers')).toBe('x-a');
  expect(sent.headers.get('access-control-expose-headers')?.split(', ')).toContain('Date');
});
