import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { noteProgress, progressIn } from '#bin/family/folder.ts';
import { SyncType } from '#lib/records/sync-type.ts';
import { tableName } from '#lib/table/client.ts';
import { addProduct } from '#tests/support/catalog.ts';
import { picture } from '#tests/support/files.ts';
import { call } from '#tests/support/http.ts';
import { newLongDocuments } from '#tests/support/long-documents.ts';
import { runProgram } from '#tests/support/program.ts';
import { make } from '#tests/support/records.ts';
import { newShop, sellOne } from '#tests/support/shop.ts';
import { receiveGoods } from '#tests/support/stock.ts';
import { SyncReader } from '#tests/support/sync.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'export-'));
  return () => rmSync(folder, { recursive: true });
});

const argsFor = (family: number) => [
  ...['--family', String(family), '--table', tableName(), '--to', folder, '--address', inject('address')],
];

const Line = z.object({ type: z.string(), id: z.int(), revision: z.int(), record: z.looseObject({}) });

/** Reads the lines of a type's file. */
function linesOf(type: string) {
  const text = readFileSync(join(folder, `${type}.jsonl`), 'utf8');
  return text.split('\n').flatMap((line) => (line ? [Line.parse(JSON.parse(line))] : []));
}

/** Creates a shop that has received and sold, with a brand that has an image, and one that was deleted. */
async function newTrade() {
  const shop = await newShop();
  const { director: token, stockId: stock_id } = shop;
  const form = new FormData();
  form.set('name', 'Чай');
  form.set('image_old_keys', '[]');
  form.set('image', await picture('png', 20, 20));
  const brand = (await call('POST /company/product/brand', { token, form })).number('id');
  const gone = await make('/company/product/brand', token, { name: 'Кофе', image_old_keys: '[]' });
  await call(`DELETE /company/product/brand/${gone}`, { token });
  const product = (await addProduct(token, shop.catalog)).number('id');
  await receiveGoods(token, { stock_id, products: [{ product_id: product, quantity: 10, cost: 3000 }] });
  const sale = await sellOne(shop, product, 2, 5000);
  return { ...shop, brand, gone, sale };
}

test('a family has all its records in an export, as copies have them, deleted ones and files among them', async () => {
  const { companyId, director, brand, gone } = await newTrade();
  const { code, stdout, stderr } = await runProgram('export', argsFor(companyId));
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(new RegExp(`Family ${companyId}: \\d+ records and [1-9]\\d* files, from 20`));
  const copy = await new SyncReader(director).catchUp();
  for (const type of [
    'trade.sale',
    'trade.purchase',
    'product.product',
    'stock.product',
    'cashbox.cashbox',
  ] as const) {
    expect(linesOf(type).map(({ record }) => record)).toEqual(copy.of(type));
    expect(copy.of(type).length).toBeGreaterThan(0);
  }
  expect(linesOf('product.brand').map(({ id }) => id)).toEqual(expect.arrayContaining([brand, gone]));
  const [, files] = /records and (\d+) files/.exec(stdout) ?? [];
  expect(filesOfBucket()).toHaveLength(Number(files));
});

test('an export that was cut off in a line goes on, and one that is whole changes nothing', async () => {
  const { companyId } = await newTrade();
  await runProgram('export', argsFor(companyId));
  const whole = new Map(filesIn().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  await runProgram('export', argsFor(companyId));
  for (const [name, text] of whole) expect(readFileSync(join(folder, name), 'utf8')).toBe(text);

  const progress = progressIn(folder);
  if (!progress) throw new Error('Nothing was exported');
  const type = SyncType.options.indexOf('product.brand');
  noteProgress(folder, { ...progress, type, ended_at: null });
  rmSync(join(folder, 'trade.sale.jsonl'));
  rmSync(join(folder, 'files'), { recursive: true });
  writeFileSync(join(folder, 'product.brand.jsonl'), `${whole.get('product.brand.jsonl')}{"type":"pro`);
  expect(await runProgram('export', argsFor(companyId))).toMatchObject({ code: 0 });
  for (const [name, text] of whole) {
    if (name !== 'export.json') expect(readFileSync(join(folder, name), 'utf8')).toBe(text);
  }
  expect(filesOfBucket().length).toBeGreaterThan(1);
});

const filesOfBucket = () =>
  readdirSync(join(folder, 'files/public'), { recursive: true }).filter((name) =>
    /\.(png|webp)$/.test(String(name)),
  );

const filesIn = () => readdirSync(folder).filter((name) => /\.jsonl?$/.test(name));

test('a folder with another family is left alone, and an unknown family is reported', async () => {
  const { companyId } = await newTrade();
  expect(await runProgram('export', argsFor(999_999_999))).toMatchObject({
    code: 1,
    stderr: 'There is no family 999999999: it has the id of its main company.\n',
  });
  await runProgram('export', argsFor(companyId));
  const other = await newShop();
  expect(await runProgram('export', argsFor(other.companyId))).toMatchObject({
    code: 1,
    stderr: `${folder} has the export of family ${companyId}: choose another folder.\n`,
  });
});

test('a document with lines of more than 4 MB is exported with all of them', async () => {
  const counts = [2_200, 10_100];
  const { companyId, first } = await newLongDocuments(counts);
  expect(await runProgram('export', argsFor(companyId))).toMatchObject({ code: 0, stderr: '' });
  const Lines = z.object({ products: z.array(z.object({ id: z.int(), comment: z.string() })) });
  const long = linesOf('trade.writeoff').filter(({ id }) => id > first);
  for (const [index, { record }] of long.entries()) {
    const ids = Lines.parse(record).products.map(({ id }) => id);
    expect(ids).toEqual(Array.from({ length: counts[index] ?? 0 }, (_, line) => line + 1));
    expect(Buffer.byteLength(JSON.stringify(record))).toBeGreaterThan(4_000_000);
  }
  expect(long.map(({ record }) => 'lines_left_out' in record)).toEqual([false, false]);
});
