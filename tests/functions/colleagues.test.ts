import { expect, test } from 'vitest';
import * as z from 'zod';
import { discoverRoutes } from '#infra/routes.ts';
import { userKey } from '#lib/auth/identify.ts';
import { update } from '#lib/table/change/write.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { newEmployee, newFamily } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';

// The caller's own profile, and an invoice, which prints company data for the client.
const SHOWING = new Set(['/common/user/profile', '/company/trade/sale/{model}/invoice']);
const PEOPLE = new Set(['creator', 'updater', 'responsible', 'cashier']);
const OF_A_USER = ['id', 'type', 'phone', 'profile'];
const PROFILE = {
  ...{ first_name: 'Test', last_name: null, full_name: 'Test' },
  ...{ position: null, birth_date: null, gender: null },
};
const OF_A_COMPANY = ['id', 'name', 'company_name', 'phone'];

const told = (await discoverRoutes())
  .filter(({ path }) => /^\/(company|common)\//.test(path) && !SHOWING.has(path))
  .flatMap(({ path, endpoints }) =>
    Object.entries(endpoints).map(([method, { metadata }]) => ({
      request: `${method} ${path}`,
      embedded: embeddedIn(metadata.response),
    })),
  )
  .filter(({ embedded }) => embedded.length > 0);

test.each(told)('$request shows of colleagues and companies their names and phones only', ({ embedded }) => {
  for (const { name, fields } of embedded) {
    expect(name === 'company' ? OF_A_COMPANY : OF_A_USER).toEqual(expect.arrayContaining(fields));
  }
});

test('of a colleague who may not read users sees no birth date and gender, and of a company no requisites (Contract 9.80)', async () => {
  const { director: token, directorId, companyId } = await newFamily();
  await transact([
    update(userKey(directorId), {
      set: { person: { ...PROFILE, birth_date: '1990-01-31', gender: 'female' } },
    }),
  ]);
  const brand = { name: 'Artel', image_old_keys: '[]' };
  await make('/company/product/brand', token, brand);
  const listed = await call('GET /company/product/brand?with[]=creator.profile&with[]=company', { token });
  const rows = z.object({ data: z.array(z.looseObject({})) }).parse(listed.body).data;
  expect(rows).toMatchObject([{ creator: { id: directorId }, company: { id: companyId } }]);
  const creator = { id: directorId, type: 'director', phone: null };
  const open = { birth_date: '1990-01-31', gender: 'female' };
  expect(rows[0]?.['creator']).toEqual({ ...creator, profile: { ...PROFILE, ...open } });
  const seenBy = async (...rights: string[]) => {
    const employee = await newEmployee({ companyId }, ['company.product.brand.index', ...rights]);
    const seen = await call('GET /company/product/brand?with[]=creator.profile', { token: employee });
    return z.object({ data: z.array(z.looseObject({})) }).parse(seen.body).data[0]?.['creator'];
  };
  expect(await seenBy()).toEqual({ ...creator, profile: PROFILE });
  for (const right of ['company.user.user.index', 'company.user.user.show', 'company.*']) {
    expect(await seenBy(right)).toEqual({ ...creator, profile: { ...PROFILE, ...open } });
  }
  expect(rows[0]?.['company']).toEqual({ id: companyId, name: 'Savdo', company_name: null, phone: null });
});

/** Returns the users and companies embedded in a response, with their fields. */
function embeddedIn(schema: unknown, seen = new Set<unknown>()): { name: string; fields: string[] }[] {
  if (!(schema instanceof z.ZodType) || seen.has(schema)) return [];
  seen.add(schema);
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape).flatMap(([name, field]) => {
      const isEmbedded = PEOPLE.has(name) || name === 'company';
      const fields = isEmbedded ? fieldsOf(field) : [];
      return [...(fields.length > 0 ? [{ name, fields }] : []), ...embeddedIn(field, seen)];
    });
  }
  return innerOf(schema).flatMap((inner) => embeddedIn(inner, seen));
}

function fieldsOf(schema: unknown): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return innerOf(schema).flatMap(fieldsOf);
}

function innerOf(schema: unknown): readonly unknown[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return [schema.unwrap()];
  if (schema instanceof z.ZodArray) return [schema.element];
  if (schema instanceof z.ZodPipe) return [schema.out];
  return schema instanceof z.ZodUnion ? schema.options : [];
}
