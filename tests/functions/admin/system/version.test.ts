import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import {
  errorsOf,
  expectSixPlatformOperations,
  idsOf,
  make,
  REQUIRED,
  TAKEN,
} from '#tests/support/records.ts';

const VERSIONS = '/admin/system/version';

let token: string;

beforeAll(async () => {
  token = await newSuperAdministrator();
});

function release(given: object = {}) {
  const description = { ru: 'Касса быстрее', uz: 'Касса тезроқ', oz: 'Kassa tezroq' };
  return { version: randomUUID(), project: 'base', description, ...given };
}

test('a version is made, found, changed, deleted and restored', async () => {
  await expectSixPlatformOperations(VERSIONS, release(), release({ project: 'hr' }));
});

test('a version is unique within its project, whatever its letter case', async () => {
  const made = release({ version: `1.0-rc ${randomUUID()}` });
  await make(VERSIONS, token, made);
  const other = await make(VERSIONS, token, { ...made, project: 'core' });
  const json = { ...made, version: made.version.toUpperCase() };
  for (const request of [`POST ${VERSIONS}`, `PUT ${VERSIONS}/${other}`]) {
    expect(await errorsOf(request, token, json)).toEqual({ version: TAKEN });
  }
});

test('version, project and a description in every language are required', async () => {
  const description = { ru: 'x', uz: '' };
  expect(await errorsOf(`POST ${VERSIONS}`, token, { version: 'x'.repeat(256), description })).toEqual({
    version: 'Не длиннее 255 символов.',
    project: REQUIRED,
    'description.uz': REQUIRED,
    'description.oz': REQUIRED,
  });
  expect(await errorsOf(`POST ${VERSIONS}`, token, release({ project: 'shop' }))).toHaveProperty('project');
});

test('versions are found by project and a part of the version, and sorted by it', async () => {
  const run = randomUUID();
  const two = await make(VERSIONS, token, release({ version: `V2 ${run}` }));
  const one = await make(VERSIONS, token, release({ version: `V1 ${run}`, project: 'credit' }));
  const found = `filter[version]=${run}`;
  expect(await idsOf(VERSIONS, token, found)).toEqual([two, one]);
  expect(await idsOf(VERSIONS, token, `${found}&filter[project]=credit`)).toEqual([one]);
  const sorted = await call(`GET ${VERSIONS}?${found}&sort[]=version`, { token });
  expect(sorted.body).toMatchObject({ data: [{ id: one }, { id: two }] });
  expect((await call(`GET ${VERSIONS}?filter[project]=shop`, { token })).status).toBe(422);
});
