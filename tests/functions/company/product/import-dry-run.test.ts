import type exceljs from 'exceljs';
import { beforeEach, expect, test } from 'vitest';
import * as z from 'zod';
import { newCatalog } from '#tests/support/catalog.ts';
import { newFamily } from '#tests/support/family.ts';
import { workbook, workbookOf } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';

const PRODUCTS = '/company/product/product';
const BRANDS = '/company/product/brand';

const WATER = ['Water', 'Напитки', 'Nestlé', 'штука', '4780001', '1', 5000, 'uzs', 'Still', '1C-1'];
const JUICE = ['Juice', 'Напитки', 'Nestlé', 'штука', '4780002', null, 9000, 'uzs', null, null];
const DEARER = [null, null, null, null, '4780001', null, 6000];

let token: string;

beforeEach(async () => {
  const family = await newFamily();
  token = family.director;
  await newCatalog(family);
});

async function importRows(fields: object, ...rows: readonly exceljs.CellValue[][]) {
  const file = await workbookOf([['name'], ...rows]);
  return call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file, ...fields }) });
}

async function everything() {
  const paths = [`${PRODUCTS}?show[]=with-deleted`, '/company/trade/recalculation-batch', BRANDS];
  return Promise.all(paths.map(async (path) => (await call(`GET ${path}`, { token })).body));
}

test('dry_run=true of an import answers the same, writes nothing, and says so (Part 5, 5B.9, 1)', async () => {
  const before = await everything();
  const dry = await importRows({ dry_run: 'true' }, WATER, JUICE);
  expect(dry).toMatchObject({ status: 200, body: { is_dry_run: true, created: 2, same: 0 } });
  expect(await everything()).toEqual(before);
  const real = await importRows({}, WATER, JUICE);
  expect(real.body).toEqual({ ...z.looseObject({}).parse(dry.body), is_dry_run: false });
});

test('dry_run=true of mode=update answers the same and writes nothing (Part 5, 5B.9, 1)', async () => {
  await importRows({}, WATER, JUICE);
  const [water] = z
    .object({ data: z.array(z.object({ id: z.int(), name: z.string() })) })
    .parse((await call(`GET ${PRODUCTS}?filter[name]=Juice`, { token })).body).data;
  await call(`DELETE ${PRODUCTS}/${water?.id}`, { token });
  const before = await everything();
  const tea = ['Tea', ...JUICE.slice(1, 4), '4780003', null, 1, 'uzs'];
  const rows = [DEARER, JUICE, tea];
  const dry = await importRows({ mode: 'update', dry_run: 'true' }, ...rows);
  const counts = { created: 1, changed: 1, restored: 1, same: 0 };
  expect(dry).toMatchObject({ status: 200, body: { is_dry_run: true, ...counts } });
  expect(await everything()).toEqual(before);
  expect((await importRows({ mode: 'update' }, ...rows)).body).toMatchObject({
    is_dry_run: false,
    ...counts,
  });
});

test('dry_run=true is refused exactly as the import itself (Part 5, 5B.9, 1)', async () => {
  await importRows({}, WATER);
  for (const mode of ['create', 'update']) {
    const wrong = [
      ['Tea', 'Mebel', 'Nestlé', 'штука', '4780001', null, 'x', 'uzs'],
      ['Tea', 'Напитки', 'Nestlé', 'штука', '4780009', '1', 5, 'uzs'],
    ];
    for (const rows of [wrong, wrong.slice(1)]) {
      const dry = await importRows({ mode, dry_run: 'true' }, ...rows);
      expect(dry.status).toBe(422);
      expect(await importRows({ mode }, ...rows)).toMatchObject({ status: 422, body: dry.body });
    }
  }
});

test('dry_run=true of brands answers the same and writes nothing (Part 5, 5B.9, 1)', async () => {
  const before = await everything();
  const importFile = async (fields: object) =>
    call(`POST ${BRANDS}/import`, {
      token,
      form: formOf({ file: await workbook(['Name', 'Artel', 'ARTEL', 'Nestlé']), ...fields }),
    });
  const counts = { created: 1, changed: 0, restored: 0, same: 2 };
  expect((await importFile({ dry_run: 'true' })).body).toMatchObject({ is_dry_run: true, ...counts });
  expect(await everything()).toEqual(before);
  expect((await importFile({ dry_run: 'false' })).body).toMatchObject({ is_dry_run: false, ...counts });
});
