import { beforeAll, expect, test } from 'vitest';
import * as z from 'zod';
import { openApiOf } from '#infra/reference/document.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { jsonIn } from '#lib/http/wire/response.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { costHiderOf } from '#lib/values/cost.ts';
import { costsIn, newClerk } from '#tests/support/costs.ts';
import { newEveryKind, WATER_BARCODE } from '#tests/support/every-kind.ts';
import { call } from '#tests/support/http.ts';
import type { Till } from '#tests/support/operations.ts';
import { lastDays } from '#tests/support/reports.ts';

/*
 * Every record is readable, in whichever way it was made: each list with each of its embeds, each record,
 * form and report, by each of its groups, as JSON and as a workbook. One unusual document must not make a
 * list or a report fail.
 */

const Parameter = z.object({
  name: z.string(),
  schema: z.object({
    enum: z.array(z.string()).optional(),
    items: z.object({ enum: z.array(z.string()).optional() }).optional(),
  }),
});

const Paths = z.record(
  z.string(),
  z.object({ get: z.object({ parameters: z.array(z.unknown()).optional() }).optional() }),
);

const routes = await discoverRoutes();
const document = JSON.parse(JSON.stringify(openApiOf(routes)));

/** Readable paths under `/company/`, with the possible values of their parameters. */
const readings = Object.entries(Paths.parse(document.paths)).flatMap(([path, { get }]) => {
  if (!get || !path.startsWith('/company/')) return [];
  const parameters = (get.parameters ?? []).flatMap((each) => Parameter.safeParse(each).data ?? []);
  const valuesOf = (wanted: string) => {
    const found = parameters.find(({ name }) => name === wanted)?.schema;
    return found?.enum ?? found?.items?.enum ?? [];
  };
  return [{ path, embeds: valuesOf('with[]'), groups: valuesOf('group'), formats: valuesOf('format') }];
});

type Reading = (typeof readings)[number];

/** Required query strings of some paths. */
const REQUIRED: Readonly<Record<string, (till: Till) => string>> = {
  '/company/cashbox/operation/reasons': () => 'type=outcome',
  '/company/trade/inventory/categories': ({ stockId }) => `stock_id=${stockId}`,
  '/company/sync': () => 'types[]=trade.sale&types[]=trade.sale.return',
  '/company/report/cash': () => lastDays(3),
  '/company/report/products': () => lastDays(3),
  '/company/report/sales': () => lastDays(3),
  '/company/report/expenses': () => lastDays(3),
  '/company/report/vat': () => lastDays(3),
  '/company/product/product': ({ stockId }) => `stock_id=${stockId}`,
  '/company/product/scan': () => `code=${WATER_BARCODE}`,
};

const Returns = z.object({ data: z.array(z.object({ id: z.int(), sale_id: z.int() })) });

const Rows = z.object({ data: z.array(z.looseObject({ id: z.int() })) });

let till: Till;
let clerk: string;

beforeAll(async () => {
  till = await newEveryKind();
  clerk = await newClerk(till, await placesOf(till));
});

/** Lists the addresses of a path: one for each record of its list, if it is of one record. */
async function addressesOf(path: string): Promise<string[]> {
  if (path.includes('{cashbox}'))
    return [path.replace('{cashbox}', `${till.cashboxId}`).replace('{number}', '1')];
  if (!path.includes('{')) return [path];
  if (path.includes('{return_id}')) {
    const { body } = await call('GET /company/trade/sale/return', { token: till.director });
    return Returns.parse(body).data.map(({ id, sale_id }) =>
      path.replace('{model}', `${sale_id}`).replace('{return_id}', `${id}`),
    );
  }
  if (!path.includes('{model}')) return [];
  const list = path.slice(0, path.indexOf('/{model}'));
  const { body } = await call(`GET ${list}?page-size=10`, { token: till.director });
  return Rows.parse(body).data.map(({ id }) => path.replace('{model}', `${id}`));
}

/** Lists the query strings by which a path is read. */
function queriesOf({ path, embeds, groups, formats }: Reading): string[] {
  const whole = embeds.map((embed) => `with[]=${embed}`).join('&');
  const grouped = groups.length > 0 ? groups.map((group) => `group=${group}`) : [''];
  const plain = [...grouped, ...embeds.map((embed) => `with[]=${embed}`), ...(whole ? [whole] : [])];
  const asFiles = formats.flatMap((format) => grouped.map((group) => `${group}&format=${format}`));
  const required = REQUIRED[path]?.(till) ?? '';
  return [...plain, ...asFiles].map((query) => [required, query].filter(Boolean).join('&'));
}

/** Lists the calls by which a path is read. */
async function requestsOf(reading: Reading): Promise<string[]> {
  const addresses = await addressesOf(reading.path);
  return addresses.flatMap((address) => queriesOf(reading).map((query) => `${address}?${query}`));
}

/** Lists all desks and warehouses of a family. */
async function placesOf({ director: token }: Till) {
  const idsAt = async (path: string) => {
    const { body } = await call(`GET ${path}?page-size=200`, { token });
    return Rows.parse(body).data.map(({ id }) => id);
  };
  const [cashbox_ids, stock_ids] = await Promise.all([
    idsAt('/company/cashbox/cashbox'),
    idsAt('/company/stock/stock'),
  ]);
  return { cashbox_ids, stock_ids };
}

/** Finds parts of a response without a known creator: a creator that is no user, or one that is not shown. */
function nobodiesIn(value: unknown, isAsked: boolean): unknown[] {
  if (Array.isArray(value)) return value.flatMap((each) => nobodiesIn(each, isAsked));
  if (typeof value !== 'object' || value === null) return [];
  const { creator_id, creator, type } = z.looseObject({}).parse(value);
  // Test support creates companies without an administrator, and so their main desks.
  const isUnknown = creator_id === 0 || (isAsked && typeof creator_id === 'number' && creator === null);
  const isNobody = isUnknown && type !== 'main';
  return [...(isNobody ? [value] : []), ...Object.values(value).flatMap((each) => nobodiesIn(each, isAsked))];
}

test.each(readings)(
  '$path',
  async (reading) => {
    await mapConcurrent(await requestsOf(reading), 4, async (request) => {
      const { status, body } = await call(`GET ${request}`, { token: till.director });
      expect({ request, status, body }).toMatchObject({ status: expect.toSatisfy((each) => each < 500) });
      // Sales that are not on credit have none of the one, people none of the other.
      if (!/\/(credit-detail|key\/me)$/.test(reading.path))
        expect({ request, status, body }).toMatchObject({ status: 200 });
      if (status === 200) expect(nobodiesIn(body, request.includes('creator.profile'))).toEqual([]);
    });
  },
  300_000,
);

/** Returns whether a call has one embed, which a call with all of them has, too. */
function isOfOneEmbed(request: string): boolean {
  return request.split('with[]=').length === 2;
}

/** Reports that require the right to see costs. */
const OF_COSTS = ['sales', 'products', 'stock'].map((name) => `/company/report/${name}`);

test.each(readings)(
  '$path shows no costs without the right (Part 5, 5A.13)',
  async (reading) => {
    const { path } = reading;
    const operation = routes.find((route) => route.path === path)?.endpoints.GET?.metadata;
    const hide = operation && costHiderOf(jsonIn(operation.response) ?? operation.response);
    const requests = (await requestsOf(reading)).filter((request) => !isOfOneEmbed(request));
    await mapConcurrent(requests, 4, async (request) => {
      const { status, body } = await call(`GET ${request}`, { token: clerk });
      if (OF_COSTS.includes(path)) return expect({ request, status }).toEqual({ request, status: 403 });
      // Deliveries need all rights of the director who made the webhook.
      if (!/\/(credit-detail|key\/me|deliveries)$/.test(path))
        expect({ request, status, body }).toMatchObject({ status: 200 });
      expect({ request, costs: costsIn(body) }).toEqual({ request, costs: [] });
      if (hide && status === 200 && !request.includes('format=')) expect(hide(body)).toEqual(body);
    });
  },
  300_000,
);
