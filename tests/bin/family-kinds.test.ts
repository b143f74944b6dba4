import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import * as z from 'zod';
import { COPIED_KINDS, DERIVED, FURTHER, fileOf, OF_PEOPLE } from '#bin/family/kinds.ts';
import { keyOfRaw, scanRaw } from '#bin/family/raw.ts';
import { users } from '#lib/people/user/user.ts';
import { tableName } from '#lib/table/client.ts';
import { COMPANY_RATES, FEED_TYPES } from '#lib/table/feed/feed-types.ts';
import { familyTenant, type Key, partition, userTenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { renderInstant } from '#lib/values/time.ts';
import { codeFiles, textOf } from '#tests/conventions/files.ts';
import { setTariff } from '#tests/support/billing.ts';
import { newEveryKind } from '#tests/support/every-kind.ts';
import { call } from '#tests/support/http.ts';
import { offlineSaleBody, sendOfflineSales } from '#tests/support/offline.ts';
import { cancelOf, newIdOf, operate, type Till } from '#tests/support/operations.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { runProgram } from '#tests/support/program.ts';
import { newGoods, setRate } from '#tests/support/shop.ts';
import { count, endStocktake, startStocktake } from '#tests/support/stocktakes.ts';

/*
 * Compares an export with the items of a family that has one of each kind. A new kind fails here until it is
 * exported, or listed as derived.
 */

const LEFT_OUT: readonly string[] = [...Object.values(DERIVED).flat(), ...OF_PEOPLE];

const KNOWN = new Set<string>([...COPIED_KINDS, ...FURTHER.map(({ kind }) => kind), ...LEFT_OUT]);

const Line = z.object({ type: z.string(), key: z.array(z.string()), record: z.looseObject({}) });
const Entry = z.object({ id: z.int() });

let folder: string;
let family: number;
let keys: Key[];

/** Lists the keys of a family's items, and of its people's. */
async function keysOf(id: number): Promise<Key[]> {
  const tenant = familyTenant(id);
  const people = await wholePartition(partition(users.type, tenant));
  const tenants = new Set<string>([tenant, ...people.map((user) => userTenant(Number(user['id'])))]);
  const found: Key[] = [];
  for await (const items of scanRaw(tableName())) {
    found.push(...items.map(keyOfRaw).filter(({ pk }) => pk.split('#').some((part) => tenants.has(part))));
  }
  return found;
}

const kindIn = ({ pk }: Key) => pk.slice(0, pk.indexOf('#'));

const fileIn = (name: string) => readFileSync(join(folder, `${name}.jsonl`), 'utf8');

const linesOf = (name: string) => fileIn(name).split('\n').filter(Boolean);

/** Creates the other records of a family: a tariff, former rates, a draft, offline sales and returns. */
async function makeRest(till: Till): Promise<void> {
  const { director: token, cashboxId, stockId: stock_id, companyId } = till;
  expect(await setTariff(companyId)).toMatchObject({ status: 200 });
  for (const rate of [12_600, 12_700]) await setRate(till, 'usd', rate);
  const draft = `PUT /company/trade/cashbox/${cashboxId}/cheque/1`;
  expect(await call(draft, { token, json: { stock_id } })).toMatchObject({ status: 200 });
  const spent = newIdOf(await operate(till, 'outcome', 10));
  expect(await cancelOf(till, spent)).toMatchObject({ status: 200 });
  const goods = await newGoods(till, [{ quantity: 10, cost: 100 }]);
  // Sold after the goods came and before they were counted: times are to the second.
  await pause(1_100);
  const sold_at = renderInstant(Date.now());
  await pause(1_100);
  const counted = await startStocktake(till, { type: 'partial', product_ids: [goods] });
  await count(till, counted, [[goods, 9]]);
  expect(await endStocktake(till, counted, 'complete')).toMatchObject({ status: 200 });
  const [row] = await sendOfflineSales(till, [offlineSaleBody(till, goods, 'before-the-count', { sold_at })]);
  expect(row).toMatchObject({ status: 200, errors: null });
}

beforeAll(async () => {
  const till = await newEveryKind();
  family = till.companyId;
  await makeRest(till);
  const has = async (kind: string) => (await keysOf(family)).some((key) => kindIn(key) === kind);
  for (const kind of ['activity', 'webhook-delivery', 'product-price'])
    await vi.waitFor(async () => expect({ kind, has: await has(kind) }).toEqual({ kind, has: true }), {
      timeout: MAX_WAIT_MS,
      interval: 500,
    });
  folder = mkdtempSync(join(tmpdir(), 'kinds-'));
  const place = ['--family', String(family), '--table', tableName(), '--address', inject('address')];
  const { code, stderr } = await runProgram('export', [...place, '--to', folder]);
  expect([code, stderr]).toEqual([0, '']);
  keys = await keysOf(family);
});

afterAll(() => rmSync(folder, { recursive: true }));

test('every kind of item that a family has is exported, or is derived of what is', () => {
  const kinds = new Set(keys.map(kindIn));
  expect(kinds.size).toBeGreaterThan(50);
  expect([...kinds].filter((kind) => !KNOWN.has(kind))).toEqual([]);
});

/** Types of the platform's own records, which no family has. */
const OF_PLATFORM = /^lib\/(?:platform|regions)\/|-?template\.ts$|\/partner\.ts$/;

test('every type of record that a family may have is exported', () => {
  const files = codeFiles(['lib']).filter((file) => !OF_PLATFORM.test(file));
  const declared = /: (?:Record|Document)Type<typeof \w+> = \{\s*type: '([a-z-]+)'/g;
  const types = files.flatMap((file) => [...textOf(file).matchAll(declared)].map(([, type = '']) => type));
  expect(types.length).toBeGreaterThan(20);
  const exported = new Set<string>([...COPIED_KINDS, ...FURTHER.map(({ kind }) => kind)]);
  expect(types.filter((type) => !exported.has(type))).toEqual([]);
});

test('every kind of a family in the table of keys is exported, or is derived', () => {
  const page = textOf('docs/table-keys.md');
  const told = [...page.matchAll(/^\| `([a-z][a-z-]*)#[^`]*<tenant>/gm)].map(([, kind = '']) => kind);
  expect(told.length).toBeGreaterThan(30);
  expect(told.filter((kind) => !KNOWN.has(kind))).toEqual([]);
});

test('every record that copies have is in its file', () => {
  for (const [kind, type] of Object.entries(FEED_TYPES)) {
    // A company's rates are one item, and a record for each currency.
    if (kind === COMPANY_RATES.word) continue;
    const stored = keys
      .filter(({ pk }) => pk === `${kind}#${familyTenant(family)}`)
      .map(({ sk }) => Number(sk));
    const ids = linesOf(type).map((line) => Entry.parse(JSON.parse(line)).id);
    expect({ kind, ids: new Set(ids) }).toEqual({ kind, ids: new Set(stored) });
    expect({ kind, count: ids.length }).toEqual({ kind, count: stored.length });
  }
});

test.each(FURTHER.map((kind) => [fileOf(kind), kind] as const))(
  '%s has every item',
  (file, { kind, under }) => {
    const depth = under === undefined ? 0 : 1;
    const stored = keys.filter(
      (key) => kindIn(key) === kind && Math.min(1, key.pk.split('#').length - 2) === depth,
    );
    const told = linesOf(file).map((line) => Line.parse(JSON.parse(line)).key.join('#'));
    const wanted = stored.map(({ pk, sk }) => [...pk.split('#').slice(2), sk].join('#'));
    // Entries written by the stream consumer may have come since, and no payment by the gateway is in this
    // test.
    if (kind === 'activity') return expect(wanted).toEqual(expect.arrayContaining(told));
    expect(new Set(told)).toEqual(new Set(wanted));
    if (kind !== 'tariff-payment') expect(told.length).toBeGreaterThan(0);
  },
);

test('no secret is in an export', () => {
  const whole = FURTHER.map((kind) => fileIn(fileOf(kind))).join('');
  for (const secret of ['password_hash', '"sealed', '"hash"', 'primary_uuid'])
    expect(whole).not.toContain(secret);
});

test('the rows of a planned repricing are in it as they were sent', () => {
  const [planned] = linesOf('repricing-row').map((line) => Line.parse(JSON.parse(line)).record);
  expect(planned?.['lines']).toEqual([
    expect.objectContaining({ sale_price: 700_000, sale_currency: 'uzs' }),
  ]);
});

test('what came of a refused sale is in it as it was sent', () => {
  const bodies = linesOf('refused-sale.parts').map((line) => Line.parse(JSON.parse(line)).record);
  expect(bodies.length).toBeGreaterThan(0);
  for (const { text } of bodies)
    expect(JSON.parse(String(text))).toMatchObject({ cashbox_id: expect.any(Number) });
});
