import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { fetchToken } from '#bin/cli/person.ts';
import { type ServiceProcess, startProcess } from '#bin/local/process.ts';
import { openApiOf } from '#infra/reference/document.ts';
import { exampleOf } from '#infra/reference/examples.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { renderInstant } from '#lib/values/time.ts';
import { terms } from '#tests/support/billing.ts';
import { BODIES } from '#tests/support/contract.ts';
import { picture } from '#tests/support/files.ts';
import { formOf } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { mediaTypeOf, record } from '#tests/support/recording.ts';

/*
 * An example executed on /docs at `npm start` succeeds: the reference shows these calls with their responses.
 * They are made one after the other.
 */
const AT_DESK = { cashbox_id: 3, stock_id: 1 };
const CASH = { payment_type: 'cash' };
const BOX = { ru: 'Коробка', uz: 'Қути', oz: 'Quti' };
const WATER = 1;
const TEA = 2;
const SUGAR = 3;

const SHOWN: readonly (readonly [string, object])[] = [
  [
    'POST /company/trade/sale',
    {
      ...{ ...AT_DESK, currency: 'uzs' },
      products: [{ product_id: WATER, sold_quantity: 2 }],
      transactions: [{ ...CASH, amount: 8000 }],
    },
  ],
  [
    'PATCH /company/trade/sale/1/return',
    {
      products: [{ id: 1, reason_type: 'defective', returned_quantity: 1 }],
      transactions: [{ ...CASH, amount: 4000 }],
    },
  ],
  [
    'POST /company/trade/hold',
    { ...AT_DESK, full_name: 'Jasur', cheque: 1, products: [{ product_id: WATER, quantity: 10 }] },
  ],
  ['POST /company/cashbox/reason', { type: 'outcome', name: 'Taksi' }],
  [
    'POST /company/cashbox/operation',
    { cashbox_id: 3, type: 'outcome', ...CASH, currency: 'uzs', amount: 3000, reason_id: 1 },
  ],
];

/** Records needed by operations on one record: created for them, and not shown. */
const SCENE: readonly (readonly [string, object])[] = [
  ['PATCH /company/trade/purchase/1/correct-cost', { products: [{ id: 3, cost: 2100 }], comment: 'Xato' }],
  // An address without a server.
  ['POST /company/webhook', { url: 'http://127.0.0.1:9/hook', types: ['client.client.*'] }],
  [
    'POST /company/trade/sale',
    {
      ...{ ...AT_DESK, currency: 'uzs', client_id: 1, due_date: '2099-01-31' },
      products: [{ product_id: WATER, sold_quantity: 1 }],
      transactions: [{ payment_type: 'debt', amount: 4000 }],
    },
  ],
  [
    'POST /company/client/debt-payment',
    { client_id: 1, cashbox_id: 3, payments: [{ ...CASH, amount: 1000 }] },
  ],
  ['POST /company/client/client/1/deposit-correction', { currency: 'uzs', amount: 500, comment: 'Qoldiq' }],
  ['PATCH /company/client/debt/1/write-off', { amount: 500, comment: 'Qaytarmaydi' }],
  ...Object.entries(BODIES).map(([path, body]) => [`POST ${path}`, body] as const),
  [
    'POST /company/product/bundle',
    {
      name: 'Choy va shakar',
      price: 25_000,
      products: [TEA, SUGAR].map((product_id) => ({ product_id, quantity: 1 })),
    },
  ],
  ['POST /company/product/specification', { name: BOX, description: BOX }],
  ['POST /company/product/option', { specification_id: 1, name: 'Oq' }],
  ['POST /company/product/service-unit', { name: BOX }],
  ['POST /company/product/service', { service_unit_id: 1, name: 'Yetkazish', price: 10_000 }],
  ['POST /company/stock/stock', { name: 'Ombor 2' }],
  [
    'POST /company/trade/transfer',
    { from_stock_id: 1, to_stock_id: 2, products: [{ product_id: WATER, quantity: 1 }] },
  ],
  [
    'POST /company/trade/writeoff',
    {
      ...{ source_type: 'stock', source_id: 1, name: 'Singan' },
      products: [{ product_id: WATER, source_product_id: 1, quantity: 1, reason: 'common_loss' }],
    },
  ],
  [
    'POST /company/trade/recalculation-batch',
    { company_id: 1, products: [{ product_id: SUGAR, sale_price: 14_500, sale_currency: 'uzs' }] },
  ],
  // An offline sale that is refused: it has no goods.
  [
    'POST /company/trade/sale/sync',
    {
      sales: [
        { key: 'till-3-1', sold_at: renderInstant(Date.now() - 3_600_000), ...AT_DESK, currency: 'uzs' },
      ],
    },
  ],
  ['POST /company/trade/inventory', { stock_id: 1, type: 'full' }],
  ['PUT /company/company/settings', { cashbox_shift_settings: { is_enabled: true } }],
  ['POST /company/trade/cashbox-shift', AT_DESK],
  ['PUT /admin/billing/tariff/1', terms()],
  ['POST /admin/product/unit', { name: BOX, accuracy: 0 }],
  ['POST /admin/product/service-unit', { name: BOX }],
  ['POST /admin/region/mfy', { district_id: 1, name: 'Bobur' }],
  ['POST /admin/system/version', { version: '1.0', project: 'base', description: BOX }],
  ['POST /admin/user/notification', { user_query: '', type: 'message', text: 'Salom' }],
];

const PARAMETER = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().optional(),
  example: z.unknown().optional(),
  schema: z.object({ enum: z.array(z.string()).optional() }),
});

const routes = await discoverRoutes();
const { paths } = z
  .object({
    paths: z.record(
      z.string(),
      z.record(
        z.string(),
        z.object({ parameters: z.array(z.unknown()), responses: z.record(z.string(), z.unknown()) }),
      ),
    ),
  })
  .parse(JSON.parse(JSON.stringify(openApiOf(routes))));
const gets = Object.entries(paths).flatMap(([path, { get }]) => (get ? [{ path, get }] : []));

/** Values known only from responses, as an image's address; and the barcode of the sugar. */
const told: Record<string, unknown> = { code: '4780000000031' };
const tokens: Record<string, string> = {};
const OK = [expect.anything(), { status: 200 }];

let service: ServiceProcess;

beforeAll(async () => {
  service = await startProcess();
  for (const username of ['admin', 'director', 'partner']) {
    tokens[username] = await fetchToken(service.address, username);
  }
});

afterAll(() => service.stop());

describe('as /docs shows it at `npm start`, one after the other,', () => {
  test.each(SHOWN)('%s is 200, and the example of the document: npm run examples', async (request, sent) => {
    const { status, type, got } = await send(request, sent);
    record({ request, sent, status, got, type, stale: undefined, isShown: true });
    expect([status, got]).toEqual([200, got]);
    expect(exampleOf(request.replace('/1/', '/{model}/'))).toMatchObject({ sent });
  });
});

test('an invalid sale of a till shows each wrong field, and the example of the document is that', async () => {
  const request = 'POST /company/trade/sale';
  const sent = {
    ...{ ...AT_DESK, currency: 'uzs' },
    products: [
      { product_id: WATER, sold_quantity: 1000 },
      { product_id: TEA, sold_quantity: 1, price: 9000 },
    ],
    transactions: [{ ...CASH, amount: 8000 }],
  };
  const { status, type, got } = await send(request, sent);
  record({ request, sent, status, got, type, stale: undefined, isShown: true });
  expect(status).toBe(422);
  expect(exampleOf(request).refused?.['422']).toEqual(got);
});

describe('of what has been made then,', () => {
  beforeAll(async () => {
    // Before the warehouse is counted.
    told['/company/trade/sale/{model}/credit-detail'] = await sellOnCredit();
    for (const [request, sent] of SCENE) expect([request, await send(request, sent)]).toMatchObject(OK);
    const form = formOf({ 'images[]': await picture('png', 30, 10) });
    const image = await send('POST /common/public/upload-image', form);
    told['path'] = z.object({ files: z.tuple([z.string()]) }).parse(image.got).files[0];
    const payment = await send('POST /company/tariff/pay-qr', { amount: 1000, provider: 'provider_a' });
    told['externalId'] = z.object({ external_id: z.string() }).parse(payment.got).external_id;
    told['/company/user/key/{model}'] = await makeKey();
    await vi.waitFor(async () => {
      expect((await send('GET /common/user/notification/1')).status).toBe(200);
    }, MAX_WAIT_MS);
  });

  test.each(gets)('GET $path is 200 with its examples: SCENE makes what it gets', async (operation) => {
    // Sync begins with its types, and continues with a cursor: neither is required of every call.
    const further = operation.path === '/company/sync' ? ['types[]=product.brand'] : [];
    // Only a key may read itself.
    const caller =
      operation.path === '/company/user/key/me' ? { authorization: `Bearer ${tokens['key']}` } : {};
    expect(await send(requestOf(operation, further), undefined, caller)).toMatchObject({ status: 200 });
  });

  const sheets = gets.filter(({ get }) => 'x-media-types' in Object(get.responses['200']));

  test.each(sheets)('GET $path as a workbook has the documented type', async (operation) => {
    const request = requestOf(operation, ['format=excel']);
    const { status, type, got } = await send(request);
    record({ request, sent: undefined, status, got, type, stale: undefined });
    expect(operation.get.responses['200']).toMatchObject({
      'x-media-types': expect.arrayContaining([type]),
    });
  });

  const paged = gets.filter(({ get }) => JSON.stringify(get.parameters).includes('"page-size"'));

  test.each(paged)(
    'GET $path refuses a page without rows, by the name of the parameter',
    async (operation) => {
      const request = requestOf(operation, ['page-size=0']);
      const { status, type, got } = await send(request);
      record({ request, sent: undefined, status, got, type, stale: undefined });
      expect({ status, got }).toMatchObject({
        status: 422,
        got: { errors: { 'page-size': [expect.any(String)] } },
      });
    },
  );
});

type Get = (typeof gets)[number];

/** Builds a call with the examples of its parameters. */
function requestOf({ path, get }: Get, further: readonly string[] = []): string {
  const parameters = get.parameters.flatMap((each) => PARAMETER.safeParse(each).data ?? []);
  const textOf = ({ name, example, schema }: z.output<typeof PARAMETER>) =>
    encodeURIComponent(String(told[path] ?? told[name] ?? example ?? schema.enum?.[0]));
  const inPath = parameters.filter((each) => each.in === 'path');
  const address = inPath.reduce((all, each) => all.replace(`{${each.name}}`, textOf(each)), path);
  const inQuery = parameters.filter((each) => each.in === 'query' && each.required);
  return `GET ${address}?${[...inQuery.map((each) => `${each.name}=${textOf(each)}`), ...further].join('&')}`;
}

async function makeKey(): Promise<number> {
  const roles = await send('GET /company/user/role');
  const [role] = z.object({ data: z.array(z.object({ id: z.int() })) }).parse(roles.got).data;
  const { got } = await send('POST /company/user/key', { name: '1C', role_id: role?.id });
  const { id, key } = z.object({ id: z.int(), key: z.string() }).parse(got);
  tokens['key'] = key;
  return id;
}

async function sellOnCredit(): Promise<number> {
  const key = { name: 'Nasiya', kind: 'external', company_ids: [1] };
  const made = await send('POST /admin/system/external-key', key);
  const company = await send('GET /admin/company/company/1');
  const headers = {
    'external-system-secret-key': z.object({ key: z.string() }).parse(made.got).key,
    'company-primary-uuid': z.object({ primary_uuid: z.string() }).parse(company.got).primary_uuid,
  };
  const sale = {
    ...{ ...AT_DESK, currency: 'uzs', external_id: '1', agreement_number: 'K-15/26', months: 12 },
    ...{ agreement_date: '2026-10-01', initial_payment: 0 },
    client: { full_name: 'Aziza Karimova', phone: '998907654321', pinfl: '12345678901234' },
    products: [{ product_id: TEA, quantity: 1, price: 13_000 }],
  };
  const { got } = await send('POST /external/credit/trade-sale/create', sale, headers);
  return z.object({ id: z.int() }).parse(got).id;
}

async function send(request: string, sent?: object, headers: Readonly<Record<string, string>> = {}) {
  const [method = 'GET', path = '/'] = request.split(' ');
  const [, area = ''] = path.split('/');
  const token = tokens[area === 'admin' || area === 'partner' ? area : 'director'];
  const response = await fetch(`${service.address}${path}`, {
    method,
    headers: {
      ...(area !== 'external' && { authorization: `Bearer ${token}` }),
      ...headers,
      ...(!(sent instanceof FormData) && { 'content-type': 'application/json' }),
    },
    body: sent instanceof FormData ? sent : sent === undefined ? null : JSON.stringify(sent),
  });
  const type = mediaTypeOf(response.headers);
  const got: unknown = type === 'application/json' ? await response.json() : undefined;
  return { status: response.status, type, got };
}
