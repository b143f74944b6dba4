import { expect, inject, test } from 'vitest';
import * as z from 'zod';
import { newFamily } from '#tests/support/family.ts';
import { workbook } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { recordFile } from '#tests/support/recording.ts';
import { sheetIn } from '#tests/support/sheet.ts';

const BRANDS = '/company/product/brand';

const Names = z.object({ data: z.array(z.object({ name: z.string() })), meta: z.object({ total: z.int() }) });

async function importFile(token: string, file: File) {
  return call(`POST ${BRANDS}/import`, { token, form: formOf({ file }) });
}

async function names(token: string): Promise<string[]> {
  const { body } = await call(`GET ${BRANDS}?sort[]=id`, { token });
  return Names.parse(body).data.map(({ name }) => name);
}

test('the names of column A become brands; the header, blanks and doubles do not', async () => {
  const { director } = await newFamily();
  const file = await workbook([
    'Название',
    'Artel',
    '  ',
    'ARTEL',
    null,
    'Beko ',
    { richText: [{ text: 'Nes' }, { text: 'tlé' }] },
    1913,
  ]);
  expect(await importFile(director, file)).toMatchObject({ status: 200, body: { message: 'Успешно' } });
  expect(await names(director)).toEqual(['Artel', 'Beko', 'Nestlé', '1913']);
});

test('existing brands are not doubled, in any letter case, and deleted ones are restored', async () => {
  const { director: token } = await newFamily();
  for (const name of ['Artel', 'Beko']) {
    await call(`POST ${BRANDS}`, { token, json: { name, image_old_keys: '[]' } });
  }
  await call(`DELETE ${BRANDS}/2`, { token });
  await importFile(token, await workbook(['Name', 'artel', 'BEKO', 'Candy']));
  expect(await names(token)).toEqual(['Artel', 'Beko', 'Candy']);
});

test('500 rows are imported, all at once, and only once', async () => {
  const { director: token } = await newFamily();
  const file = await workbook(['Name', ...Array.from({ length: 500 }, (_, index) => `Brand ${index}`)]);
  expect((await importFile(token, file)).status).toBe(200);
  expect((await importFile(token, file)).status).toBe(200);
  expect(Names.parse((await call(`GET ${BRANDS}`, { token })).body).meta.total).toBe(500);
});

test('501 rows are refused and nothing is imported', async () => {
  const { director: token } = await newFamily();
  const file = await workbook(['Name', ...Array.from({ length: 501 }, (_, index) => `Brand ${index}`)]);
  expect(await importFile(token, file)).toMatchObject({
    status: 422,
    body: { errors: { file: ['В файле не должно быть больше 500 строк.'] } },
  });
  expect(await names(token)).toEqual([]);
});

test('names over 255 characters are refused, each by its row, and nothing is imported', async () => {
  const { director: token } = await newFamily();
  const file = await workbook(['Name', 'Artel', 'x'.repeat(256), 'Beko', 'y'.repeat(300)]);
  const { status, body } = await importFile(token, file);
  expect(status).toBe(422);
  expect(body).toMatchObject({
    errors: { 'rows.3.name': ['Не длиннее 255 символов.'], 'rows.5.name': [expect.any(String)] },
  });
  expect(await names(token)).toEqual([]);
});

test('a file that is no xlsx, a missing one and one over 1024 KB are refused', async () => {
  const { director: token } = await newFamily();
  const broken = new File(['PK\u0003\u0004 xl/workbook.xml'], 'brands.xlsx');
  expect((await importFile(token, broken)).body).toMatchObject({
    errors: { file: ['Файл должен быть книгой Excel (xlsx).'] },
  });
  const none = await call(`POST ${BRANDS}/import`, { token, form: formOf({ other: 'x' }) });
  expect(none.body).toMatchObject({ errors: { file: ['Нужно приложить файл.'] } });
  const large = new File([new Uint8Array(1024 * 1024 + 1)], 'brands.xlsx');
  expect((await importFile(token, large)).body).toMatchObject({
    errors: { file: ['Файл не должен превышать 1024 КБ.'] },
  });
});

test('imports of the same names at once make each brand once', async () => {
  const { director: token } = await newFamily();
  const file = await workbook(['Name', ...Array.from({ length: 20 }, (_, index) => `Brand ${index}`)]);
  const replies = await Promise.all(Array.from({ length: 4 }, () => importFile(token, file)));
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(new Set(await names(token)).size).toBe(20);
});

test('the example has a header in the language of the caller, and can be imported as it is', async () => {
  const { director: token } = await newFamily();
  const response = await fetch(`${inject('address')}${BRANDS}/download-example`, {
    headers: { authorization: `Bearer ${token}`, 'accept-language': 'oz' },
  });
  recordFile(`${BRANDS}/download-example`, response);
  expect(response.headers.get('content-type')).toContain('spreadsheetml');
  const bytes = await response.arrayBuffer();
  expect((await sheetIn(bytes)).getCell('A1').value).toBe('Brend nomi');
  await importFile(token, new File([new Uint8Array(bytes)], 'brands.xlsx'));
  expect(await names(token)).toEqual(['Artel', 'Samsung', 'Nestlé']);
});
