import { randomUUID } from 'node:crypto';
import {
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import sharp from 'sharp';
import { beforeAll, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { removeFiles, storeFiles } from '#lib/files/storage.ts';
import { requireEnv } from '#lib/values/env.ts';
import { newFamily, newSuperAdministrator } from '#tests/support/family.ts';
import { picture } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';
import { recordFile } from '#tests/support/recording.ts';

const CONTENT = '/common/public/file/content';

const MEGABYTE = 1024 * 1024;

let token: string;

/** The address of an uploaded picture, and its path inside the public catalogue. */
let address: string;
let path: string;

beforeAll(async () => {
  token = (await newFamily()).director;
  const form = formOf({ 'images[]': await picture('png', 30, 10) });
  const { body } = await call('POST /common/public/upload-image', { token, form });
  address = z.object({ files: z.tuple([z.url()]) }).parse(body).files[0];
  path = address.slice(address.indexOf('public/') + 'public/'.length);
});

function get(wanted: string, bearer = token): Promise<Response> {
  return fetch(`${inject('address')}${CONTENT}?path=${encodeURIComponent(wanted)}`, {
    headers: { authorization: `Bearer ${bearer}` },
    redirect: 'manual',
  });
}

async function stored(bytes: number, type: string, name = 'file.bin'): Promise<string> {
  const key = `public/tests/${randomUUID()}/${name}`;
  await storeFiles([{ key, type, content: new Uint8Array(bytes) }]);
  return key;
}

test('a file is given raw by its path in the catalogue, with or without its name, and by its address', async () => {
  for (const wanted of [path, `public/${path}`, address]) {
    const response = await get(wanted);
    recordFile(`${CONTENT}?path=${wanted}`, response);
    expect([wanted, response.status, response.headers.get('content-type')]).toEqual([
      wanted,
      200,
      'image/png',
    ]);
    expect(await sharp(await response.arrayBuffer()).metadata()).toMatchObject({ width: 30, height: 10 });
  }
});

test('everyone who is signed in may ask', async () => {
  expect((await get(path, await newSuperAdministrator())).status).toBe(200);
  expect((await get(path, 'nobody')).status).toBe(401);
});

test('a browser saves it under its name, and shows no file as a page of ours', async () => {
  const page = await stored(10, 'text/html', 'page.html');
  const { headers } = await get(page);
  expect(headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''page.html");
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});

test.each([
  '../exports/rows.xlsx',
  'uploads/../../exports/rows.xlsx',
  'public/../exports/rows.xlsx',
  '..',
  '.',
  'uploads/./picture.png',
  '%2e%2e/exports/rows.xlsx',
  'uploads/%2e%2e%2f%2e%2e%2fexports/rows.xlsx',
  '%252e%252e/exports/rows.xlsx',
  '..%c0%afexports',
  '..\\exports\\rows.xlsx',
  'uploads\\..\\..\\exports',
  '/etc/passwd',
  '/public/uploads/picture.png',
  '//elsewhere.example/public/picture.png',
  'https://elsewhere.example/public/picture.png',
  'file:///etc/passwd',
  'uploads/picture.png\u0000.txt',
  'uploads//picture.png',
  'uploads/',
  'public',
  'uploads/none.png',
])('the path %j leaves the catalogue or leads nowhere: 400', async (wanted) => {
  const response = await get(wanted);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    message: 'Такого файла в открытом каталоге нет.',
    params: {},
    code: 'file.not_public',
  });
});

test('a file that is not public is not given, whatever the address', async () => {
  const name = `${randomUUID()}.xlsx`;
  await storeFiles([{ key: `exports/${name}`, type: 'text/plain', content: new Uint8Array(3) }]);
  const base = `${inject('address')}/files`;
  const others = [
    `exports/${name}`,
    `public/../exports/${name}`,
    `${base}/exports/${name}`,
    `${base}/public/../exports/${name}`,
    `${base}.elsewhere.example/public/${path}`,
    `${base.replace('http://', 'http://user@elsewhere.example#')}/public/${path}`,
    `${address}?x=1`,
  ];
  for (const wanted of others) expect([wanted, (await get(wanted)).status]).toEqual([wanted, 400]);
});

test('a path is required, and has 255 characters at most', async () => {
  const ask = (query: string) => call(`GET ${CONTENT}?${query}`, { token });
  const required = { status: 422, body: { errors: { path: ['Обязательное поле.'] } } };
  expect(await ask('')).toMatchObject(required);
  expect(await ask('path=')).toMatchObject(required);
  expect(await ask(`path=${'a'.repeat(256)}`)).toMatchObject({
    body: { errors: { path: ['Не длиннее 255 символов.'] } },
  });
  expect((await ask(`path=${'a'.repeat(255)}`)).status).toBe(400);
});

test('up to 4 MB are given at once, more by a link that is good for five minutes', async () => {
  const [small, large] = [
    await stored(4 * MEGABYTE, 'image/png'),
    await stored(4 * MEGABYTE + 1, 'image/png'),
  ];
  const given = await get(small);
  expect([given.status, (await given.arrayBuffer()).byteLength]).toEqual([200, 4 * MEGABYTE]);

  const { status, headers } = await get(large);
  expect(status).toBe(302);
  const link = new URL(headers.get('location') ?? '');
  expect(link.pathname).toContain(large);
  expect(link.searchParams.get('X-Amz-Expires')).toBe('300');
  expect(link.searchParams.get('response-content-disposition')).toMatch(/^attachment; filename/);
  const followed = await fetch(link);
  expect([followed.status, (await followed.arrayBuffer()).byteLength]).toEqual([200, 4 * MEGABYTE + 1]);
});

test('a file of 100 MB is given, a larger one is 400', async () => {
  const [most, more] = [await storedInParts(10 * PART), await storedInParts(10 * PART + 1)];
  expect((await get(most)).status).toBe(302);
  const response = await get(more);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    message: 'Файл больше 100 МБ.',
    params: { max: 100 },
    code: 'file.too_large_to_give',
  });
  await removeFiles([most, more]);
});

const PART = 10 * MEGABYTE;

/** Stores a file that is too large for the emulator to take at once. */
async function storedInParts(bytes: number): Promise<string> {
  const s3 = new S3Client({ forcePathStyle: true });
  const place = { Bucket: requireEnv('FILES_BUCKET'), Key: `public/tests/${randomUUID()}.png` };
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand(place));
  const Parts: CompletedPart[] = [];
  for (let sent = 0; sent < bytes; sent += PART) {
    const part = { PartNumber: Parts.length + 1, Body: new Uint8Array(Math.min(PART, bytes - sent)) };
    const { ETag } = await s3.send(new UploadPartCommand({ ...place, UploadId, ...part }));
    Parts.push({ PartNumber: part.PartNumber, ...(ETag && { ETag }) });
  }
  await s3.send(new CompleteMultipartUploadCommand({ ...place, UploadId, MultipartUpload: { Parts } }));
  return place.Key;
}
