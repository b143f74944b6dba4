import { expect } from 'vitest';
import * as z from 'zod';
import { type ErrorCode, type MessageDescriptor, translate } from '#lib/values/message.ts';
import { newFamily, newSuperAdministrator } from './family.ts';
import { call } from './http.ts';
import type { Family } from './provisioning.ts';

const Made = z.object({ id: z.int() });
const Rows = z.object({ data: z.array(z.object({ id: z.int() })) });

/** Creates a record over HTTP, and returns its id. */
export async function make(path: string, token: string, json: object): Promise<number> {
  const { status, body } = await call(`POST ${path}`, { token, json });
  expect(body).toMatchObject({ id: expect.any(Number) });
  expect(status).toBe(200);
  return Made.parse(body).id;
}

/** Lists the ids that a list shows, in ascending order. */
export async function idsOf(path: string, token: string, query = ''): Promise<number[]> {
  const { body } = await call(`GET ${path}?sort[]=id&${query}`, { token });
  return Rows.parse(body).data.map(({ id }) => id);
}

/** Returns the errors of a rejected body by field, each with its first text. */
export async function errorsOf(
  request: string,
  token: string,
  json: object,
): Promise<Record<string, string>> {
  const { status, body } = await call(request, { token, json });
  expect(status).toBe(422);
  const { errors } = z.object({ errors: z.record(z.string(), z.array(z.string())) }).parse(body);
  return Object.fromEntries(Object.entries(errors).map(([path, [text = '']]) => [path, text]));
}

/** Returns the errors of a rejected query string by parameter. */
export async function errorsIn(address: string, token: string): Promise<unknown> {
  const { status, body } = await call(`GET ${address}`, { token });
  expect(status).toBe(422);
  return Object(body).errors;
}

/** Builds the response of a call rejected with 400. */
export function errorWith(key: ErrorCode, values?: MessageDescriptor['with']) {
  const message = translate('ru', { key, ...(values && { with: values }) });
  return { status: 400, body: { message, params: values ?? {}, code: key } };
}

export const TAKEN = 'Такое значение уже занято.';
export const NOT_FOUND = 'Выбранная запись не найдена.';
export const REQUIRED = 'Обязательное поле.';

/**
 * Tests the six operations of a record, as its family and as another family. A record that refers to others
 * gets the family that has them.
 */
export async function expectSixOperations(
  path: string,
  made: object,
  changed: object,
  { family, embeds = ['company', 'creator.profile'] }: Circumstances = {},
): Promise<void> {
  const [{ director: token, companyId, directorId }, stranger] = await Promise.all([
    family ?? newFamily(),
    newFamily(),
  ]);
  const isTold = embeds.includes('creator.profile');
  const own = {
    company_id: companyId,
    is_deleted: false,
    ...(isTold && { creator_id: directorId }),
  };
  const id = await expectMadeAndChanged(path, token, made, changed, own);
  const asked = embeds.map((name) => `with[]=${name}`).join('&');
  const list = await call(`GET ${path}?filter[id]=${id}&${asked}`, { token });
  const embedded = Object.assign({}, ...embeds.map((name) => EMBEDDED[name](own)));
  expect(list.body).toMatchObject({ data: [{ ...changed, ...embedded }], meta: { total: 1, per_page: 20 } });

  for (const request of [`GET ${path}/${id}`, `DELETE ${path}/${id}`, `DELETE ${path}/${id}/restore`]) {
    expect((await call(request, { token: stranger.director })).status).toBe(404);
  }
  expect((await call(`PUT ${path}/${id}`, { token: stranger.director, json: changed })).status).toBe(404);
  expect(await idsOf(path, stranger.director, `filter[id]=${id}&show[]=with-deleted`)).toEqual([]);
  await expectDeletedAndRestored(path, token, id, changed);
}

interface Circumstances {
  readonly family?: Family;
  readonly embeds?: readonly (keyof typeof EMBEDDED)[];
}

const EMBEDDED = {
  company: ({ company_id }: { company_id: number }) => ({ company: { id: company_id } }),
  'creator.profile': ({ creator_id }: { creator_id?: number }) => ({
    creator: { id: creator_id, profile: { full_name: 'Test' } },
  }),
};

/** Leads a platform record through the six operations. */
export async function expectSixPlatformOperations(
  path: string,
  made: object,
  changed: object,
): Promise<void> {
  const token = await newSuperAdministrator();
  const id = await expectMadeAndChanged(path, token, made, changed, { is_deleted: false });
  const list = await call(`GET ${path}?filter[id]=${id}`, { token });
  expect(list.body).toMatchObject({ data: [{ id, ...changed }], meta: { total: 1, per_page: 20 } });
  await expectDeletedAndRestored(path, token, id, changed);
}

async function expectMadeAndChanged(
  path: string,
  token: string,
  made: object,
  changed: object,
  own: object,
): Promise<number> {
  const created = await call(`POST ${path}`, { token, json: made });
  expect(created).toMatchObject({ status: 200, body: { ...own, ...made } });
  const { id } = Made.parse(created.body);
  expect((await call(`GET ${path}/${id}`, { token })).body).toEqual(created.body);
  const edited = await call(`PUT ${path}/${id}`, { token, json: changed });
  expect(edited).toMatchObject({ status: 200, body: { id, ...own, ...changed } });
  expect((await call(`GET ${path}/${id}`, { token })).body).toEqual(edited.body);
  return id;
}

async function expectDeletedAndRestored(
  path: string,
  token: string,
  id: number,
  changed: object,
): Promise<void> {
  const address = `${path}/${id}`;
  const only = `filter[id]=${id}`;
  expect((await call(`DELETE ${address}/restore`, { token })).status).toBe(404);
  expect((await call(`DELETE ${address}`, { token })).body).toEqual({ message: 'Успешно' });
  expect((await call(`GET ${address}`, { token })).status).toBe(404);
  expect((await call(`PUT ${address}`, { token, json: changed })).status).toBe(404);
  expect(await idsOf(path, token, only)).toEqual([]);
  expect(await idsOf(path, token, `${only}&show[]=only-deleted`)).toEqual([id]);
  expect((await call(`DELETE ${address}/restore`, { token })).body).toEqual({ message: 'Успешно' });
  expect((await call(`GET ${address}`, { token })).body).toMatchObject({ ...changed, is_deleted: false });
}
