import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { discoverRoutes } from '#infra/routes.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/local.ts');

const BEGUN = /Retail back office: (\S+)/;
const BEGUN_ANEW =
  /The data here had an older format. They were moved to (\S+);[\s\S]*Retail back office: (\S+)/;

const directory = mkdtempSync(join(tmpdir(), 'retail-'));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function start(args: string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...args], {
    cwd: directory,
    env: { ...process.env, LOG_LEVEL: 'silent', PORT: '0', ...env },
  });
}

/** Reads what a program says until that has a pattern, and gives what is in its groups. */
async function untilSaid(program: ChildProcess, pattern: RegExp): Promise<[string, string]> {
  let said = '';
  for await (const chunk of program.stdout ?? []) {
    said += chunk;
    const [found, first = '', second = ''] = pattern.exec(said) ?? [];
    if (found) return [first, second];
  }
  throw new Error(`It ended with: ${said}`);
}

async function stop(program: ChildProcess): Promise<number | null> {
  const ended = once(program, 'exit');
  program.kill('SIGINT');
  // The terminal sends it once more, through npm.
  setTimeout(() => program.kill('SIGINT'), 20);
  await ended;
  return program.exitCode;
}

async function post(
  address: string,
  path: string,
  body: object,
  token = '',
  more: Record<string, string> = {},
): Promise<Response> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...more };
  return fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function signIn(address: string): Promise<string> {
  const reply = await post(address, '/common/auth/login', { username: 'director', password: 'Retail-2026' });
  return JSON.parse(await reply.text()).token;
}

test('data of an older format are put aside with a word; those begun anew survive a restart, and Ctrl-C stops everything', async () => {
  const data = join(directory, '.local');
  mkdirSync(join(data, 'dynamodb'), { recursive: true });
  writeFileSync(join(data, 'shape'), '1');
  const first = start([], {});
  const [aside, before] = await untilSaid(first, BEGUN_ANEW);
  expect(existsSync(join(aside, 'dynamodb'))).toBe(true);
  const brand = { name: 'Lasting', image_old_keys: '[]' };
  await post(before, '/company/product/brand', brand, await signIn(before));
  expect(await stop(first)).toBe(0);
  await expect(fetch(before)).rejects.toThrow();

  const second = start([], {});
  const [after] = await untilSaid(second, BEGUN);
  const headers = { authorization: `Bearer ${await signIn(after)}` };
  const list = await fetch(`${after}/company/product/brand?filter[name]=lasting`, { headers });
  expect(await list.json()).toMatchObject({ data: [{ name: 'Lasting' }] });
  expect(await stop(second)).toBe(0);
});

test('without Java one sentence says what to install', async () => {
  const program = start(['--memory'], { PATH: directory });
  const [said] = await Promise.all([textOf(program.stderr), once(program, 'exit')]);
  expect(said.trim()).toMatch(/^Java 17 is needed .*Install it.*$/);
  expect(program.exitCode).toBe(1);
});

test('for a taken port one sentence says how to choose another', async () => {
  const holder = createServer().listen(0, '127.0.0.1');
  await once(holder, 'listening');
  const address = holder.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const program = start(['--memory'], { PORT: String(port) });
  const [said] = await Promise.all([textOf(program.stderr), once(program, 'exit')]);
  expect(said.trim()).toBe(`Port ${port} is taken. Choose another: PORT=${port + 1} npm start`);
  expect(program.exitCode).toBe(1);
  holder.close();
});

test('the local run takes another clock, which tokens, limits and repetitions follow (Decisions, 9 (59), (76))', async () => {
  const program = start(['--memory', '--clock', '2030-12-01T10:00'], {});
  const [address] = await untilSaid(program, BEGUN);
  const token = await signIn(address);
  const sell = async (bearer: string) => {
    const reply = await post(address, '/company/trade/sale', WATER, bearer, {
      'idempotency-key': 'till-3-1',
    });
    return { ...JSON.parse(await reply.text()), replayed: reply.headers.get('idempotent-replayed') };
  };
  expect(await sell(token)).toMatchObject({ id: 1, created_at: expect.stringMatching(/^2030-12-01 10:0/) });
  expect(await sell(token)).toMatchObject({ id: 1, replayed: 'true' });

  expect(await setClock(address, '2030-12-02T10:30')).toEqual({ now: '2030-12-02T10:30' });
  expect(await sell(token)).toMatchObject({ id: 2, replayed: null });
  for (const _ of Array.from({ length: 5 })) expect(await failToSignIn(address)).toBe(422);
  expect(await failToSignIn(address)).toBe(429);
  await setClock(address, '2030-12-02T10:32');
  expect(await failToSignIn(address)).toBe(422);
  expect((await post(address, '/common/public/upload-form', IMAGE, token)).status).toBe(200);

  await setClock(address, '2031-01-15T09:00');
  const form = await post(address, '/common/public/upload-form', IMAGE, token);
  expect(form.status).toBe(401);
  const signed = await (
    await post(address, '/common/public/upload-form', IMAGE, await signIn(address))
  ).json();
  // The policy for the files is dated by the machine's clock.
  const policy = JSON.parse(Buffer.from(Object(signed).fields.Policy, 'base64').toString());
  expect(Math.abs(Date.parse(policy.expiration) - Date.now())).toBeLessThan(7_200_000);

  expect(await setClock(address, '2031-02-30T09:00')).toHaveProperty('errors.now');
  const { now } = Object(await setClock(address, null));
  expect(Math.abs(Date.parse(`${now}:00+05:00`) - Date.now())).toBeLessThan(120_000);
  expect(await failToSignIn(address)).toBe(422);
  await stop(program);
});

test('no deployment has a clock to set (Decisions, 9 (59))', async () => {
  const routes = await discoverRoutes();
  expect(routes.filter(({ path }) => path.includes('_local'))).toEqual([]);
});

test('an invalid clock is told in one sentence', async () => {
  const program = start(['--memory', '--clock', 'tomorrow'], {});
  const [said] = await Promise.all([textOf(program.stderr), once(program, 'exit')]);
  expect(said.trim()).toBe('Which time? For instance: npm start -- --clock 2026-12-01T10:00');
});

const WATER = {
  cashbox_id: 3,
  stock_id: 1,
  currency: 'uzs',
  products: [{ product_id: 1, sold_quantity: 2 }],
  transactions: [{ payment_type: 'cash', amount: 8000 }],
};

const IMAGE = { type: 'image/png' };

async function setClock(address: string, now: string | null): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ now });
  return (await fetch(`${address}/_local/clock`, { method: 'PUT', headers, body })).json();
}

async function failToSignIn(address: string): Promise<number> {
  return (await post(address, '/common/auth/login', { username: 'cashier', password: 'wrong' })).status;
}

async function textOf(stream: ChildProcess['stderr']): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += chunk;
  return text;
}
