import { expect } from 'vitest';
import * as z from 'zod';
import { newFamily } from './family.ts';
import { call } from './http.ts';

const Made = z.object({ id: z.int() });
const Rows = z.object({ data: z.array(z.object({ id: z.int() })) });

/** Makes a record over HTTP, and answers with its id. */
export async function make(path: string, token: string, json: object): Promise<number> {
  const { status, body } = await call(`POST ${path}`, { token, json });
  expect(body).toMatchObject({ id: expect.any(Number) });
  expect(status).toBe(200);
  return Made.parse(body).id;
}

/** The ids that a list shows, in ascending order of ids. */
export async function idsOf(path: string, token: string, query = ''): Promise<number[]> {
  const { body } = await call(`GET ${path}?sort[]=id&${query}`, { token });
  return Rows.parse(body).data.map(({ id }) => id);
}

/** The fields that a refused body is told of, each with its first text. */
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

export const TAKEN = 'Такое значение уже занято.';
export const NOT_FOUND = 'Выбранная запись не найдена.';
export const REQUIRED = 'Обязательное поле.';

/** A record's whole life by the six operations, as its family and as another family sees it. */
export async function expectSixOperations(path: string, made: object, changed: object): Promise<void> {
  const [{ director: token, companyId, directorId }, stranger] = await Promise.all([
    newFamily(),
    newFamily(),
  ]);
  const created = await call(`POST ${path}`, { token, json: made });
  const own = { company_id: companyId, creator_id: directorId, is_deleted: false };
  expect(created).toMatchObject({ status: 200, body: { ...own, ...made } });
  const { id } = Made.parse(created.body);
  const address = `${path}/${id}`;
  expect((await call(`GET ${address}`, { token })).body).toEqual(created.body);
  const list = await call(`GET ${path}?filter[id]=${id}&with[]=company&with[]=creator.profile`, { token });
  expect(list.body).toMatchObject({
    data: [
      { ...made, company: { id: companyId }, creator: { id: directorId, profile: { full_name: 'Test' } } },
    ],
    meta: { total: 1, per_page: 20 },
  });

  const edited = await call(`PUT ${address}`, { token, json: changed });
  expect(edited).toMatchObject({ status: 200, body: { id, ...own, ...changed } });
  expect((await call(`GET ${address}`, { token })).body).toEqual(edited.body);

  for (const request of [`GET ${address}`, `DELETE ${address}`, `DELETE ${address}/restore`]) {
    expect((await call(request, { token: stranger.director })).status).toBe(404);
  }
  expect((await call(`PUT ${address}`, { token: stranger.director, json: changed })).status).toBe(404);
  expect(await idsOf(path, stranger.director, `filter[company_id]=${companyId}`)).toEqual([]);

  expect((await call(`DELETE ${address}/restore`, { token })).status).toBe(404);
  expect((await call(`DELETE ${address}`, { token })).body).toEqual({ message: 'Успешно' });
  expect((await call(`GET ${address}`, { token })).status).toBe(404);
  expect((await call(`PUT ${address}`, { token, json: changed })).status).toBe(404);
  expect(await idsOf(path, token)).not.toContain(id);
  expect(await idsOf(path, token, 'show[]=only-deleted')).toEqual([id]);
  expect((await call(`DELETE ${address}/restore`, { token })).body).toEqual({ message: 'Успешно' });
  expect((await call(`GET ${address}`, { token })).body).toMatchObject({ ...changed, is_deleted: false });
}
