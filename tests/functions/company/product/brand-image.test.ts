import sharp from 'sharp';
import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { newFamily } from '#tests/support/family.ts';
import { fixture, lyingPicture, noise, picture } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';

const BRANDS = '/company/product/brand';

const WithImage = z.object({
  image: z.string(),
  image_thumbs: z.array(z.object({ name: z.string(), raw: z.string(), webp: z.string() })),
});

async function create(token: string, image: File | string, name = 'Artel') {
  return call(`POST ${BRANDS}`, { token, form: formOf({ name, image, image_old_keys: '[]' }) });
}

async function fetchImage(url: string) {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { type: response.headers.get('content-type'), ...(await sharp(bytes).metadata()) };
}

test('a brand with an image gets it in its own size, 500 and 100 wide, each also as webp', async () => {
  const { director } = await newFamily();
  const { body } = await create(director, await picture('png', 800, 400));
  const { image, image_thumbs } = WithImage.parse(body);
  expect(image_thumbs.map(({ name }) => name)).toEqual(['original', 'widen_100', 'widen_500']);
  expect(image).toBe(image_thumbs[0]?.raw);
  const sizes = await Promise.all(
    image_thumbs.flatMap(({ raw, webp }) => [fetchImage(raw), fetchImage(webp)]),
  );
  expect(sizes.map(({ width, height, format, type }) => [width, height, format, type])).toEqual([
    [800, 400, 'png', 'image/png'],
    [800, 400, 'webp', 'image/webp'],
    [100, 50, 'png', 'image/png'],
    [100, 50, 'webp', 'image/webp'],
    [500, 250, 'png', 'image/png'],
    [500, 250, 'webp', 'image/webp'],
  ]);
});

test('an image is stripped of its metadata, and a small one not enlarged', async () => {
  const { director } = await newFamily();
  const { image, image_thumbs } = WithImage.parse(
    (await create(director, await picture('jpeg', 60, 30))).body,
  );
  const sizes = await Promise.all([image, ...image_thumbs.map(({ raw }) => raw)].map(fetchImage));
  expect(sizes.map(({ width, exif, format }) => [width, exif, format])).toEqual(
    Array.from({ length: 4 }, () => [60, undefined, 'jpeg']),
  );
});

test('a file is what its bytes are: a text or a webp by another name is refused', async () => {
  const { director } = await newFamily();
  const webp = new File(
    [new Uint8Array(await (await picture('webp', 20, 20)).arrayBuffer())],
    'picture.png',
    {
      type: 'image/png',
    },
  );
  for (const file of [new File(['not a picture'], 'picture.png', { type: 'image/png' }), webp]) {
    expect(await create(director, file)).toMatchObject({
      status: 422,
      body: { errors: { image: ['Файл должен быть изображением jpg или png.'] } },
    });
  }
});

test('a picture that breaks off in the middle is refused', async () => {
  const { director } = await newFamily();
  const bytes = await (await picture('jpeg', 400, 400)).arrayBuffer();
  const half = new File([new Uint8Array(bytes.slice(0, bytes.byteLength / 2))], 'half.jpg');
  expect((await create(director, half)).body).toMatchObject({ errors: { image: [expect.any(String)] } });
});

test('an image over 2048 KB is refused, with every other failing field at once', async () => {
  const { director } = await newFamily();
  const large = await noise(900, 900);
  expect(large.size).toBeGreaterThan(2048 * 1024);
  const { status, body } = await call(`POST ${BRANDS}`, { token: director, form: formOf({ image: large }) });
  expect(status).toBe(422);
  expect(body).toMatchObject({
    errors: {
      name: ['Обязательное поле.'],
      image: ['Файл не должен превышать 2048 КБ.'],
      image_old_keys: ['Обязательное поле.'],
    },
  });
});

test.each([
  [3840, 2160, 200],
  [3841, 10, 422],
  [10, 2161, 422],
])('an image of %i by %i pixels is answered with %i', async (width, height, status) => {
  const { director } = await newFamily();
  const reply = await create(director, await picture('png', width, height));
  expect(reply.status).toBe(status);
  if (status === 422) {
    expect(reply.body).toMatchObject({
      errors: { image: ['Изображение не должно превышать 3840x2160 пикселей.'] },
    });
  }
});

test('an image that decodes with warnings is one (Contract 9.134)', async () => {
  const { director } = await newFamily();
  const camera = fixture('image-scan-header.jpg', 'image/jpeg');
  const { status, body } = await create(director, camera);
  expect(status).toBe(200);
  expect(await fetchImage(WithImage.parse(body).image)).toMatchObject({ format: 'jpeg' });
  const many = formOf({ 'images[]': camera });
  expect(await call('POST /common/public/upload-image', { token: director, form: many })).toMatchObject({
    status: 200,
  });
});

test.each([
  [1500, 3000, 200],
  [3000, 1500, 422],
  [2200, 3000, 422],
  [2160, 3840, 200],
  [3840, 2160, 422],
])(
  'the size of an image is judged as shown: %i by %i, lying on its side, is answered with %i (Contract 9.134)',
  async (width, height, status) => {
    const { director } = await newFamily();
    for (const orientation of [5, 6, 7, 8]) {
      const image = await lyingPicture(width, height, orientation);
      expect(await create(director, image, `Lying ${orientation}`)).toMatchObject({ status });
    }
  },
);

test('a file field left empty is no image', async () => {
  const { director } = await newFamily();
  const { body } = await create(director, new File([], ''));
  expect(body).toMatchObject({ image: null, image_thumbs: [] });
});

test('image_old_keys holds a JSON array of texts', async () => {
  const { director: token } = await newFamily();
  for (const image_old_keys of ['x', '{}', '[1]']) {
    const reply = await call(`POST ${BRANDS}`, { token, form: formOf({ name: 'Artel', image_old_keys }) });
    expect(reply.body).toMatchObject({
      errors: { image_old_keys: ['Значение должно быть строкой с JSON-массивом.'] },
    });
  }
});

test('an edit keeps the image, replaces it, or removes it by image_old_keys; a replaced image is gone', async () => {
  const { director: token } = await newFamily();
  const made = await create(token, await picture('png', 50, 50));
  const first = WithImage.parse(made.body);
  const request = `POST ${BRANDS}/${made.number('id')}?_method=PUT`;
  const edit = async (fields: Record<string, string | File>) =>
    (await call(request, { token, form: formOf({ name: 'Artel', ...fields }) })).body;

  expect(await edit({ image_old_keys: '["https://elsewhere/picture.png"]' })).toMatchObject({
    image: first.image,
  });

  const second = WithImage.parse(await edit({ image: await picture('jpeg', 50, 50), image_old_keys: '[]' }));
  expect(second.image).not.toBe(first.image);
  await vi.waitFor(async () => expect((await fetch(first.image)).status).toBe(404), MAX_WAIT_MS);
  expect((await fetch(second.image)).status).toBe(200);

  expect(await edit({ image_old_keys: JSON.stringify([second.image]) })).toMatchObject({
    image: null,
    image_thumbs: [],
  });
  await vi.waitFor(
    async () => expect((await fetch(second.image_thumbs[1]?.webp ?? '')).status).toBe(404),
    MAX_WAIT_MS,
  );
});
