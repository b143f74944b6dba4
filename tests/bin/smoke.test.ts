import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import { type Person, personOf } from '#bin/cli/person.ts';
import { smoke as roundOf } from '#bin/smoke/round.ts';
import { readBooks } from '#bin/verify/family.ts';
import { newAdministrator, PASSWORD } from '#tests/support/administrator.ts';
import { newRole, newSuperAdministrator } from '#tests/support/family.ts';
import { runProgram } from '#tests/support/program.ts';

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, '../../bin/smoke.ts');

function smoke(username: string, password = PASSWORD) {
  const args = [PROGRAM, '--address', inject('address'), '--username', username];
  return run(process.execPath, args, { env: { ...process.env, SMOKE_PASSWORD: password } });
}

/** Call that interrupts a round: before the service receives it, or before its response arrives. */
interface Cut {
  readonly method: string;
  readonly path: RegExp;
  readonly isDone: boolean;
}

/** Proxies the service, except that one call is answered by 502. */
async function cutOffAt({ method, path, isDone }: Cut) {
  const server = createServer((request, response) => {
    void pass(request).then(({ status, headers, body }) => {
      response.writeHead(status, { ...headers, 'content-type': 'application/json' }).end(body);
    });
  });
  async function pass(request: IncomingMessage) {
    const isCut = request.method === method && path.test(request.url ?? '');
    if (isCut && !isDone) return { status: 502, headers: {}, body: '{}' };
    const { authorization, 'idempotency-key': key, ...others } = request.headers;
    const asked = Object.entries(others).filter(([name]) => /^(origin$|access-control-)/.test(name));
    const body = await text(request);
    const answer = await fetch(`${inject('address')}${request.url}`, {
      method: request.method ?? 'GET',
      headers: {
        'content-type': request.headers['content-type'] ?? '',
        ...Object.fromEntries(asked.map(([name, value]) => [name, String(value)])),
        ...(authorization && { authorization }),
        ...(key && { 'idempotency-key': String(key) }),
      },
      ...(body && { body }),
    });
    const rules = [...answer.headers].filter(([name]) => name.startsWith('access-control-'));
    const headers = Object.fromEntries(rules);
    return { status: isCut ? 502 : answer.status, headers, body: isCut ? '{}' : await answer.text() };
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  return {
    address: `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`,
    close: () => void server.close(),
  };
}

/** Reads the remains of a sandbox: its pieces and its money. */
async function leftIn(username: string) {
  const admin = personOf(inject('address'), await newSuperAdministrator());
  const company = await firstOf(admin, `/admin/company/company?filter[name]=Sandbox of ${username}`);
  const director = await firstOf(admin, `/admin/company/user?filter[company_id]=${company}`);
  const token = (await admin.call(`PATCH /admin/user/user/${director}/auth-as`)).text('token');
  const shop = personOf(inject('address'), token);
  const desk = await firstOf(shop, '/company/cashbox/cashbox?filter[type]=sale');
  const money = (await shop.call(`GET /company/cashbox/cashbox/${desk}`)).number('balances.cash.uzs');
  const shelves = (await shop.call('GET /company/stock/product')).rows();
  const pieces = shelves.reduce((sum, shelf) => sum + shelf.number('quantity'), 0);
  return { company, pieces, money };
}

async function firstOf(person: Person, path: string): Promise<number> {
  const [first] = (await person.call(`GET ${path}`)).rows();
  if (!first) throw new Error(`${path} has no rows`);
  return first.number('id');
}

const RECEIPT = { method: 'PATCH', path: /purchase\/\d+\/complete/ };
const SALE = { method: 'POST', path: /trade\/sale$/ };
const RETURN = { method: 'PATCH', path: /sale\/\d+\/return/ };
const CANCEL = { method: 'PATCH', path: /purchase\/\d+\/cancel/ };

test('a round that is cut off tells its step and leaves its piece or its price, which the next one ends', async () => {
  const username = await newAdministrator();
  const round = (address: string) => roundOf({ address, username, password: PASSWORD }, () => undefined);
  const left: unknown[] = [];
  for (const { cut, step } of [
    { cut: { ...RECEIPT, isDone: false }, step: 'receives a piece' },
    { cut: { ...RECEIPT, isDone: true }, step: 'receives a piece' },
    { cut: { ...SALE, isDone: false }, step: 'sells it once, by two calls' },
    { cut: { ...SALE, isDone: true }, step: 'sells it once, by two calls' },
    { cut: { ...RETURN, isDone: false }, step: 'takes it back and cancels the receipt' },
    { cut: { ...RETURN, isDone: true }, step: 'takes it back and cancels the receipt' },
    { cut: { ...CANCEL, isDone: true }, step: 'takes it back and cancels the receipt' },
  ]) {
    const service = await cutOffAt(cut);
    await expect(round(service.address)).rejects.toThrow(`${step}: 502`);
    service.close();
    const { pieces, money } = await leftIn(username);
    left.push([pieces, money]);
    await round(inject('address'));
  }
  expect(left).toEqual([
    [0, 0],
    [1, 0],
    [1, 0],
    [0, 1000],
    [0, 1000],
    [1, 0],
    [0, 0],
  ]);
  const { company, ...rest } = await leftIn(username);
  expect(rest).toEqual({ pieces: 0, money: 0 });
  const { violations } = await readBooks(company);
  expect(violations).toEqual([]);
});

test('a round sells and takes back in a sandbox whose books are at zero after it, and again', async () => {
  const username = await newAdministrator();
  const first = await smoke(username);
  expect(first.stdout).toMatch(/sells it once, by two calls +\d+ ms/);
  expect(first.stdout).toContain(
    'All is well; the sandbox has nothing on its shelves and nothing in its desk.',
  );
  const second = await smoke(username);
  expect(second.stdout).toContain('All is well');
});

const SMOKES = [
  'admin.company.company.index',
  'admin.company.company.store',
  'admin.company.user.index',
  'admin.company.user.store',
  'admin.user.user.auth-as',
];

test('an administrator who may do nothing else, in no company but the sandbox, can try a service', async () => {
  const role_id = await newRole({ type: 'admin', new_routes: SMOKES });
  const username = await newAdministrator({ type: 'admin', role_id, are_all_companies_available: false });
  for (const _ of [1, 2]) {
    const { stdout } = await smoke(username);
    expect(stdout).toContain('All is well');
  }
});

test('a failing step is reported by its name, and the program ends with 1', async () => {
  await expect(smoke(await newAdministrator(), 'Wrong-2026')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Not well: signs in: .+\nThe next round ends what this one left/),
  });
});

test('an unreachable service is reported with the reason, and no leftovers are', async () => {
  const args = ['--address', 'http://127.0.0.1:59999'];
  const { code, stderr } = await runProgram('smoke', args, { SMOKE_PASSWORD: PASSWORD });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^Not well: signs in: connect ECONNREFUSED 127\.0\.0\.1:59999\n$/);
});

test('a service that no browser of another origin may call is not well', async () => {
  const { address, close } = await cutOffAt({ method: 'OPTIONS', path: /trade\/sale$/, isDone: false });
  const username = await newAdministrator();
  await expect(roundOf({ address, username, password: PASSWORD }, () => undefined)).rejects.toThrow(
    'lets a browser of another origin ask: it is answered by 502',
  );
  close();
});
