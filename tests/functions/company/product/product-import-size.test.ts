import { beforeEach, expect, test } from 'vitest';
import { WORKBOOK_TYPE } from '#lib/files/workbooks.ts';
import { newCatalog } from '#tests/support/catalog.ts';
import { newFamily } from '#tests/support/family.ts';
import { workbookOf } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { downloadBytes } from '#tests/support/sheet.ts';

const PRODUCTS = '/company/product/product';

/** A row's cells before its barcode, and those between it and its further barcodes. */
const BEFORE = ['Water', 'Напитки', 'Nestlé', 'штука'];
const BETWEEN = [null, 5000, 'uzs', null, null, null, null, null];

let token: string;

beforeEach(async () => {
  const family = await newFamily();
  token = family.director;
  await newCatalog(family);
});

async function importFile(mode: string, file: File) {
  return call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file, mode }) });
}

async function fileWith(last: string) {
  const rows = Array.from({ length: 1000 }, (_, index) => {
    const packs = [1, 2, 3].map((pack) => `pack-${index}-${pack}*${pack}`).join('\n');
    return [...BEFORE, `code-${index}`, ...BETWEEN, index === 999 ? `${packs}${last}` : packs];
  });
  return workbookOf([BEFORE, ...rows]);
}

test('an import takes 1 000 rows with 4 000 barcodes, and sent back they are the same; one more is refused (Part 5, 5B.9 (3))', async () => {
  expect(await importFile('create', await fileWith('\nlast'))).toMatchObject({
    status: 422,
    body: { codes: { file: ['file.too_many_codes'] } },
  });
  expect(await importFile('create', await fileWith(''))).toMatchObject({
    status: 200,
    body: { created: 1000 },
  });
  const sheet = await downloadBytes(`${PRODUCTS}?format=excel`, token);
  const file = new File([Uint8Array.from(sheet)], 'products.xlsx', { type: WORKBOOK_TYPE });
  expect(await importFile('update', file)).toMatchObject({ status: 200, body: { same: 1000 } });
});
