import { beforeAll, expect, test } from 'vitest';
import { discoverRoutes, METHODS, type Method, type Route } from '#infra/routes.ts';
import { newEmployee, newFamily, newRole, newSuperAdministrator, newUser } from '#tests/kit/family.ts';
import { call } from '#tests/kit/http.ts';

const OPERATIONS: Record<string, Partial<Record<Method, string>>> = {
  index: { GET: 'index', POST: 'store' },
  model: { GET: 'show', PUT: 'update', DELETE: 'destroy' },
  number: { GET: 'show', PUT: 'update', DELETE: 'destroy' },
};

const routes = await discoverRoutes();

const operations = routes.flatMap((route) =>
  METHODS.flatMap((method) => {
    const endpoint = route.endpoints[method];
    return endpoint
      ? [{ method, path: route.path, file: route.file, right: endpoint.metadata.right, route }]
      : [];
  }),
);

const guarded = operations.filter(({ right }) => right !== 'anyone' && right !== 'external');

let director: string;
let administrator: string;
let employee: string;
let partner: string;

beforeAll(async () => {
  const family = await newFamily();
  director = family.director;
  [administrator, employee] = await Promise.all([newSuperAdministrator(), newEmployee(family, [])]);
  const role_id = await newRole({ type: 'partner', partner_id: 1, new_routes: ['partner.*'] });
  partner = (await newUser({ type: 'partner', partner_id: 1, role_id })).token;
});

test.each(operations)('$method $path names the right its path spells', ({ method, right, route }) => {
  if (!right.includes('.'))
    return expect(route.path).toMatch(right === 'external' ? /^\/external\// : /^\/common\//);
  expect(right).toBe(rightOf(route, method));
});

test.each(guarded)('$method $path without a token is 401', async ({ method, path }) => {
  expect(await call(`${method} ${addressOf(path)}`)).toMatchObject({
    status: 401,
    body: { message: 'Требуется вход в систему.' },
  });
});

test.each(guarded.filter(({ right }) => right.includes('.')))(
  '$method $path is 403 for the wrong type of user and without the right',
  async ({ method, path, right }) => {
    const forCompany = right === 'staff' || path.startsWith('/company/');
    const request = `${method} ${addressOf(path)}`;
    expect((await call(request, { token: forCompany ? administrator : director })).status).toBe(403);
    if (path.startsWith('/company/')) {
      expect((await call(request, { token: employee })).status).toBe(403);
    }
  },
);

test.each(guarded.filter(({ method }) => method === 'GET'))(
  '$method $path answers an unknown parameter with 422 on its name',
  async ({ path }) => {
    const tokens: Record<string, string> = { admin: administrator, partner };
    const token = tokens[path.split('/')[1] ?? ''] ?? director;
    const { status, body } = await call(`GET ${addressOf(path)}?unheard-of=1`, { token });
    expect(body).toMatchObject({ errors: { 'unheard-of': ['Неизвестный параметр.'] } });
    expect(status).toBe(422);
  },
);

/** The path with dots and the operation; the last word of the path where that is the operation. Decisions, "Access". */
function rightOf({ file, path }: Route, method: Method): string {
  const words = path.split('/').filter((word) => word && !word.startsWith('{'));
  const name =
    file
      .split('/')
      .at(-1)
      ?.replace(/\W|ts$/g, '') ?? '';
  return [...words, OPERATIONS[name]?.[method] ?? []].flat().join('.');
}

function addressOf(path: string): string {
  return path.replace(/\{\w+\}/g, '1');
}
