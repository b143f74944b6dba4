import { beforeAll, expect, test } from 'vitest';
import { discoverRoutes } from '#infra/routes.ts';
import { LOCALES } from '#lib/values/text.ts';
import { PAGES, requestsOf } from '#tests/support/contract.ts';
import { newPartner } from '#tests/support/external.ts';
import { newEmployee, newFamily, newRole, newSuperAdministrator } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import type { Family } from '#tests/support/provisioning.ts';
import { make } from '#tests/support/records.ts';
import { insertUser } from '#tests/support/users.ts';

/** Bodies that make and edit a family's record of the first part, each with a name of its own. */
const BODIES: Readonly<Record<string, (name: string) => object>> = {
  '/company/product/brand': (name) => ({ name, image_old_keys: '[]' }),
  '/company/product/specification': (name) => ({ name: { ru: name, uz: name, oz: name } }),
  '/company/product/service-unit': (name) => ({ name: { ru: name, uz: name, oz: name } }),
};

const ofPartOne = new Set(PAGES['part-1.md'].flatMap(requestsOf));

const operations = (await discoverRoutes()).flatMap(({ path, endpoints }) =>
  Object.entries(endpoints).map(([method, { metadata }]) => ({
    request: `${method} ${path}`,
    path,
    right: metadata.right,
  })),
);

const guarded = operations.filter(
  ({ right }) => right !== 'anyone' && right !== 'external' && right !== 'gateway',
);
const ofOneArea = guarded.filter(({ right }) => right === 'staff' || right.includes('.'));
const reading = guarded.filter(({ request }) => request.startsWith('GET '));
const tenanted = operations.filter(
  ({ request, path }) => ofPartOne.has(request) && /^\/company\/.*\{(model|value)\}/.test(path),
);

let stranger: Family;
let family: Family;
let administrator: string;
let employee: string;
let partner: string;

beforeAll(async () => {
  // In this order: so the other family has no more of a company's first records than this one.
  stranger = await newFamily();
  family = await newFamily();
  [administrator, employee] = await Promise.all([newSuperAdministrator(), newEmployee(family, [])]);
  const partner_id = await newPartner();
  const role_id = await newRole({ type: 'partner', partner_id, new_routes: ['partner.*'] });
  partner = (await insertUser({ type: 'partner', partner_id, role_id })).token;
});

test.each(guarded)('$request without a token is 401', async ({ request }) => {
  await expectRefusal(addressed(request, 1), 401);
});

test.each(ofOneArea)('$request is 403 for the wrong type of user', async ({ request, right }) => {
  const token = right === 'staff' || right.startsWith('company.') ? administrator : family.director;
  await expectRefusal(addressed(request, 1), 403, { token });
});

// Operations open to all staff require the rights of the records named in the call.
test.each(ofOneArea.filter(({ path, right }) => path.startsWith('/company/') && right !== 'staff'))(
  '$request is 403 for an employee without the right',
  async ({ request }) => {
    await expectRefusal(addressed(request, 1), 403, { token: employee });
  },
);

test.each(reading)(
  '$request answers an unknown parameter with 422 on its name',
  async ({ request, path }) => {
    const tokens: Readonly<Record<string, string>> = { admin: administrator, partner };
    const token = tokens[path.split('/')[1] ?? ''] ?? family.director;
    const [first] = await expectRefusal(`${addressed(request, 1)}?unheard-of=1`, 422, { token });
    expect(first?.body).toMatchObject({ errors: { 'unheard-of': ['Неизвестный параметр.'] } });
  },
);

test.each(tenanted)("$request is 404 for another family's record", async ({ request, path }) => {
  const list = path.slice(0, path.indexOf('/{'));
  const [made, sent] = ['made', 'sent'].map((word) => BODIES[list]?.(`${request} ${word}`));
  if (!made || !sent) throw new Error(`What makes a record of ${list}? BODIES must tell`);
  const { director: token } = family;
  const id = await make(list, token, made);
  if (path.endsWith('/restore')) await call(`DELETE ${list}/${id}`, { token });

  const json = request.startsWith('GET ') ? {} : { json: sent };
  await expectRefusal(addressed(request, id), 404, { token: stranger.director, ...json });
  expect((await call(addressed(request, id), { token, ...json })).status).toBe(200);
});

/** Expects a refusal with a text of its own in each language. */
async function expectRefusal(
  request: string,
  status: number,
  given: { readonly token?: string; readonly json?: object } = {},
) {
  const replies = await Promise.all(
    LOCALES.map((locale) => call(request, { ...given, headers: { 'accept-language': locale } })),
  );
  expect(replies).toMatchObject(LOCALES.map(() => ({ status, body: { message: expect.any(String) } })));
  expect(new Set(replies.map(({ body }) => JSON.stringify(body))).size).toBe(LOCALES.length);
  return replies;
}

function addressed(request: string, id: number): string {
  return request.replaceAll(/\{\w+\}/g, String(id));
}
