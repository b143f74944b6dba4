import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { newSuperAdministrator } from '#tests/support/family.ts';
import { picture } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { errorsOf, idsOf, REQUIRED, TAKEN } from '#tests/support/records.ts';

const LANGUAGES = '/admin/system/language';

let token: string;

beforeAll(async () => {
  token = await newSuperAdministrator();
});

const Size = z.strictObject({ raw: z.string(), webp: z.string() });
const Image = z.strictObject({ original: Size, widen_25: Size, widen_100: Size, widen_500: Size });
const Pictured = z.object({ image: Image });

// Languages are global, so each test changes one of its own.
const edit = (id: number, fields: Record<string, string | File>) =>
  call(`POST ${LANGUAGES}/${id}?_method=PUT`, { token, form: formOf(fields) });

async function widthOf(url: string) {
  const response = await fetch(url);
  return (await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width;
}

test('the platform begins with Russian and with Uzbek in both scripts', async () => {
  const { body } = await call(`GET ${LANGUAGES}?sort[]=id`, { token });
  expect(body).toMatchObject({
    data: [
      { id: 1, code: 'ru', is_main: true, is_active: true },
      { id: 2, code: 'uz', is_main: false, is_active: true },
      { id: 3, code: 'oz', is_main: false, is_active: true },
    ],
    meta: { total: 3, per_page: 20 },
  });
  const one = await call(`GET ${LANGUAGES}/1`, { token });
  expect(Object.keys(z.object().catchall(z.json()).parse(one.body)).sort()).toEqual(
    ['code', 'created_at', 'id', 'image', 'is_active', 'is_main', 'name', 'updated_at'].sort(),
  );
  expect(one.body).toMatchObject({ image: null, name: 'Русский' });
});

test('languages are found by id, code, name, parts of code and name, and by their flags', async () => {
  const find = (query: string) => idsOf(LANGUAGES, token, query);
  expect(await find('filter[id]=2')).toEqual([2]);
  expect(await find('filter[code]=oz')).toEqual([3]);
  expect(await find('filter[name]=Русский')).toEqual([1]);
  expect(await find('filter[common]=РУС')).toEqual([1]);
  expect(await find('filter[common]=Z')).toEqual([2, 3]);
  expect(await find('filter[is_main]=1')).toEqual([1]);
  expect(await find('filter[is_active]=0')).toEqual([]);
  const sorted = await call(`GET ${LANGUAGES}?sort[]=-code`, { token });
  expect(sorted.body).toMatchObject({ data: [{ code: 'uz' }, { code: 'ru' }, { code: 'oz' }] });
});

test('an edit changes name and image, and answers with is_active as an integer', async () => {
  const name = `Ўзбекча ${randomUUID()}`;
  const edited = await edit(2, { name, image: await picture('png', 800, 400) });
  expect(edited).toMatchObject({
    status: 200,
    body: { id: 2, name, code: 'uz', is_active: 1, is_main: false },
  });
  const { image } = Pictured.parse(edited.body);
  const urls = [image.original, image.widen_25, image.widen_100, image.widen_500];
  expect(await Promise.all(urls.flatMap(({ raw, webp }) => [widthOf(raw), widthOf(webp)]))).toEqual([
    800, 800, 25, 25, 100, 100, 500, 500,
  ]);
  const found = await call(`GET ${LANGUAGES}/2`, { token });
  expect(found.body).toMatchObject({ name, image, is_active: true });

  const again = await edit(2, { name: 'Ўзбекча', image: await picture('jpeg', 50, 50) });
  expect(Pictured.parse(again.body).image.original.raw).not.toBe(image.original.raw);
  await vi.waitFor(async () => expect((await fetch(image.widen_25.webp)).status).toBe(404), MAX_WAIT_MS);
  expect((await edit(2, { name: 'Ўзбекча' })).body).toMatchObject({
    image: Pictured.parse(again.body).image,
  });
});

test('a name is required and no other language has it; an image is jpg or png', async () => {
  const request = `PUT ${LANGUAGES}/3`;
  expect(await errorsOf(request, token, {})).toEqual({ name: REQUIRED });
  expect(await errorsOf(request, token, { name: 'РУССКИЙ' })).toEqual({ name: TAKEN });
  expect(await errorsOf(request, token, { name: 'x'.repeat(256) })).toHaveProperty('name');
  const image = new File(['not a picture'], 'picture.png');
  expect((await edit(3, { name: 'O‘zbekcha', image })).body).toMatchObject({
    errors: { image: ['Файл должен быть изображением jpg или png.'] },
  });
});

test('a language is neither made nor deleted', async () => {
  expect((await call(`POST ${LANGUAGES}`, { token, json: { name: 'English' } })).status).toBe(405);
  expect((await call(`DELETE ${LANGUAGES}/1`, { token })).status).toBe(405);
  expect((await call(`GET ${LANGUAGES}/4`, { token })).status).toBe(404);
});
