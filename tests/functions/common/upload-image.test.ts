import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { expect, inject, test } from 'vitest';
import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { companies } from '#lib/people/company/record.ts';
import { editRecord } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { newPartner } from '#tests/support/external.ts';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { noise, picture } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { insertUser } from '#tests/support/users.ts';

const UPLOAD = '/common/public/upload-image';
const FORM = '/common/public/upload-form';
const REQUIRED = 'Обязательное поле.';
const NOT_IMAGE = 'Файл должен быть изображением jpg или png.';
const NOT_FOUND = 'Выбранная запись не найдена.';

const Files = z.object({ files: z.array(z.url()) });

const Form = z.object({
  url: z.url(),
  fields: z.record(z.string(), z.string()),
  key: z.string(),
  expires_at: z.string(),
});

const Policy = z.object({ expiration: z.string(), conditions: z.array(z.unknown()) });

function upload(token: string, images: readonly File[], fields: Record<string, string> = {}): Promise<Reply> {
  const form = formOf(fields);
  for (const image of images) form.append('images[]', image);
  return call(`POST ${UPLOAD}`, { token, form });
}

async function fetched(address: string) {
  const response = await fetch(address);
  const { width, height, format, exif } = await sharp(await response.arrayBuffer()).metadata();
  return { type: response.headers.get('content-type'), width, height, format, exif };
}

async function expectRefused(reply: Promise<Reply>, errors: Record<string, string>): Promise<void> {
  const texts = Object.entries(errors).map(([path, text]) => [path, [text]]);
  expect(await reply).toMatchObject({ status: 422, body: { errors: Object.fromEntries(texts) } });
}

async function newForm(token: string) {
  const reply = await call(`POST ${FORM}`, { token, json: { type: 'image/png' } });
  expect(reply.status).toBe(200);
  return Form.parse(reply.body);
}

async function send(token: string, file: File): Promise<string> {
  const { url, fields, key } = await newForm(token);
  const sent = await fetch(url, { method: 'POST', body: formOf({ ...fields, file }) });
  expect(sent.status).toBe(204);
  return key;
}

test('images are stored, and their addresses answered in the order of upload', async () => {
  const { director } = await newFamily();
  const images = await Promise.all([picture('png', 30, 10), picture('jpeg', 20, 40), picture('png', 50, 50)]);
  const { status, body } = await upload(director, images);
  expect(status).toBe(200);
  const { files } = Files.parse(body);
  expect(files).toEqual([
    expect.stringMatching(/\/public\/uploads\/[\w-]+\.png$/),
    expect.stringMatching(/\/public\/uploads\/[\w-]+\.jpg$/),
    expect.stringMatching(/\/public\/uploads\/[\w-]+\.png$/),
  ]);
  expect(await Promise.all(files.map(fetched))).toEqual([
    { type: 'image/png', width: 30, height: 10, format: 'png', exif: undefined },
    { type: 'image/jpeg', width: 20, height: 40, format: 'jpeg', exif: undefined },
    { type: 'image/png', width: 50, height: 50, format: 'png', exif: undefined },
  ]);
});

test('everyone who is signed in may upload', async () => {
  const partner = await insertUser({ type: 'partner', partner_id: await newPartner() });
  for (const token of [await newSuperAdministrator(), partner.token]) {
    expect((await upload(token, [await picture('png', 5, 5)])).status).toBe(200);
  }
});

test('staff of a company that is deleted may not', async () => {
  const { director: token, companyId } = await newFamily();
  await editRecord({ type: companies, tenant: PLATFORM, id: companyId }, Date.now(), (before) => ({
    ...before,
    is_deleted: true,
  }));
  expect((await upload(token, [await picture('png', 5, 5)])).status).toBe(400);
  expect((await call(`POST ${FORM}`, { token, json: { type: 'image/png' } })).status).toBe(400);
});

test('at least one image is required, and at most ten', async () => {
  const { director: token } = await newFamily();
  await expectRefused(upload(token, []), { images: REQUIRED });
  await expectRefused(call(`POST ${UPLOAD}`, { token }), { images: REQUIRED });
  await expectRefused(call(`POST ${UPLOAD}`, { token, json: { images: [] } }), {
    images: 'Не меньше 1 элементов.',
  });
  const image = await picture('png', 5, 5);
  expect(Files.parse((await upload(token, Array(10).fill(image))).body).files).toHaveLength(10);
  await expectRefused(upload(token, Array(11).fill(image)), { images: 'Не больше 10 элементов.' });
});

test('a file that is no image, too large or empty is refused on its own index', async () => {
  const { director } = await newFamily();
  const good = await picture('png', 5, 5);
  const text = new File(['<svg onload="alert(1)"/>'], 'picture.png', { type: 'image/png' });
  const empty = new File([], 'empty.png');
  await expectRefused(upload(director, [good, text, empty, await picture('webp', 5, 5)]), {
    'images.1': NOT_IMAGE,
    'images.2': 'Нужно приложить файл.',
    'images.3': NOT_IMAGE,
  });
  await expectRefused(upload(director, [await noise(900, 900)]), {
    'images.0': 'Файл не должен превышать 2048 КБ.',
  });
  for (const [width = 0, height = 0] of [
    [3841, 10],
    [10, 2161],
  ]) {
    await expectRefused(upload(director, [good, await picture('png', width, height)]), {
      'images.1': 'Изображение не должно превышать 3840x2160 пикселей.',
    });
  }
});

test('a folder says under which path they are stored', async () => {
  const { director } = await newFamily();
  const image = await picture('png', 5, 5);
  const { body } = await upload(director, [image], { folder: 'My_photos-2' });
  expect(Files.parse(body).files[0]).toMatch(/\/public\/My_photos-2\/[\w-]+\.png$/);
  expect(Files.parse((await upload(director, [image], { folder: '' })).body).files[0]).toContain('/uploads/');
  for (const folder of ['../secrets', 'a/b', 'папка', 'a b', '.']) {
    await expectRefused(upload(director, [image], { folder }), { folder: 'Неверный формат.' });
  }
  await expectRefused(upload(director, [image], { folder: 'a'.repeat(51) }), {
    folder: 'Не длиннее 50 символов.',
  });
});

test('a size says what they are scaled and cut to, without distortion', async () => {
  const { director } = await newFamily();
  const { body } = await upload(director, [await picture('png', 80, 20), await picture('jpeg', 10, 10)], {
    size: '40x30',
  });
  const sizes = await Promise.all(Files.parse(body).files.map(fetched));
  expect(sizes.map(({ width, height }) => [width, height])).toEqual([
    [40, 30],
    [40, 30],
  ]);
});

test.each(['40', '40x', 'x30', '40X30', '123456x1', '-1x5', '4.5x5'])(
  'the size %s is no size',
  async (size) => {
    const { director } = await newFamily();
    await expectRefused(upload(director, [await picture('png', 5, 5)], { size }), {
      size: 'Неверный формат.',
    });
  },
);

test.each(['0x10', '10x0', '3841x10', '10x2161', '99999x99999'])(
  'the size %s is out of bounds',
  async (size) => {
    const { director } = await newFamily();
    await expectRefused(upload(director, [await picture('png', 5, 5)], { size }), {
      size: 'Размер — ширина и высота от 1x1 до 3840x2160 пикселей.',
    });
  },
);

test('a body that is too large for a call is 413 in the gateway’s own message, without a code (Contract 9.77)', async () => {
  const { director } = await newFamily();
  const large = await noise(900, 900);
  const reply = await upload(director, [large, large, large]);
  expect(reply.status).toBe(413);
  expect(reply.body).toEqual({ message: 'Request Entity Too Large' });
});

test('images sent by a form are uploaded by their keys, after those that came with the call', async () => {
  const { director: token } = await newFamily();
  const keys = [
    await send(token, await picture('png', 30, 10)),
    await send(token, await picture('jpeg', 10, 20)),
  ];
  const form = formOf({ folder: 'sent', size: '8x4' });
  form.append('images[]', await picture('png', 50, 50));
  for (const key of keys) form.append('keys[]', key);
  const { files } = Files.parse((await call(`POST ${UPLOAD}`, { token, form })).body);
  expect((await Promise.all(files.map(fetched))).map(({ format, width }) => [format, width])).toEqual([
    ['png', 8],
    ['png', 8],
    ['jpeg', 8],
  ]);
  const again = await call(`POST ${UPLOAD}`, { token, json: { keys } });
  expect(Files.parse(again.body).files).toHaveLength(2);
  await expectRefused(call(`POST ${UPLOAD}`, { token, json: { keys: Array(11).fill(keys[0]) } }), {
    keys: 'Не больше 10 элементов.',
  });
});

test('images sent by a form are checked like those of a call, each on its own index', async () => {
  const { director: token } = await newFamily();
  const keys = await Promise.all([
    send(token, await picture('png', 5, 5)),
    send(token, new File(['<svg/>'], 'picture.png')),
    send(token, await noise(900, 900)),
    send(token, await picture('png', 3841, 5)),
  ]);
  await expectRefused(call(`POST ${UPLOAD}`, { token, json: { keys } }), {
    'keys.1': NOT_IMAGE,
    'keys.2': 'Файл не должен превышать 2048 КБ.',
    'keys.3': 'Изображение не должно превышать 3840x2160 пикселей.',
  });
});

test("a key of nothing, of another user's or of any other file is refused", async () => {
  const [one, other] = await Promise.all([newFamily(), newFamily()]);
  const theirs = await send(other.director, await picture('png', 5, 5));
  const { files } = Files.parse((await upload(one.director, [await picture('png', 5, 5)])).body);
  const own = `incoming/user-${one.directorId}/`;
  const keys = [
    theirs,
    `${own}${randomUUID()}`,
    `${own}../user-1/x`,
    new URL(files[0] ?? '').pathname.slice(7),
  ];
  await expectRefused(
    call(`POST ${UPLOAD}`, { token: one.director, json: { keys } }),
    Object.fromEntries(keys.map((_, index) => [`keys.${index}`, NOT_FOUND])),
  );
});

// The emulator accepts any form; keeping these conditions is S3's part.
test('a form lets one image of its type and at most 2048 KB to one key, for ten minutes', async () => {
  const { director: token, directorId } = await newFamily();
  const { fields, key } = await newForm(token);
  expect(key).toMatch(new RegExp(`^incoming/user-${directorId}/[\\w-]{36}$`));
  const policy = Policy.parse(JSON.parse(Buffer.from(fields['Policy'] ?? '', 'base64').toString()));
  expect(policy.conditions).toEqual(
    expect.arrayContaining([
      ['content-length-range', 1, 2048 * 1024],
      { 'Content-Type': 'image/png' },
      { key },
      { bucket: expect.any(String) },
    ]),
  );
  const left = Date.parse(policy.expiration) - Date.now();
  expect(left).toBeGreaterThan(580_000);
  expect(left).toBeLessThanOrEqual(600_000);
});

test('an image sent by a form is not public', async () => {
  const { director: token } = await newFamily();
  const key = await send(token, await picture('png', 5, 5));
  const { status } = await call(`GET /common/public/file/content?path=${key}`, { token });
  expect(status).toBe(400);
  expect((await fetch(`${inject('address')}/${key}`)).status).toBe(404);
});

test.each([{}, { type: 'image/svg+xml' }])('a form for %o is 422 on the type', async (json) => {
  const { director: token } = await newFamily();
  const reply = await call(`POST ${FORM}`, { token, json });
  expect(reply).toMatchObject({ status: 422, body: { errors: { type: [expect.any(String)] } } });
});
