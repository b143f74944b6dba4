import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { signInAs } from '#bin/cli/person.ts';
import { discoverRoutes } from '#infra/routes.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/local.ts');

/** Stock created by `npm start`: a second start on the same data adds nothing. */
const DEMO_GOODS = 3;

const BEGUN = /Retail back office: (\S+)/;
const BEGUN_ANEW =
  /The data here had another format. They were moved to (\S+);[\s\S]*Retail back office: (\S+)/;

const directory = mkdtempSync(join(tmpdir(), 'retail-'));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

function start(args: string[], env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [PROGRAM, ...args], {
    cwd: directory,
    env: { ...process.env, LOG_LEVEL: 'silent', PORT: '0', ...env },
  });
}

/** Reads a program's output until it matches a pattern, and returns its groups. */
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

test('data of an older format are put aside with a word; those begun anew survive a restart, and Ctrl-C stops everything', async () => {
  const data = join(directory, '.local');
  mkdirSync(join(data, 'dynamodb'), { recursive: true });
  writeFileSync(join(data, 'shape'), '1');
  const first = start([], {});
  const [aside, before] = await untilSaid(first, BEGUN_ANEW);
  expect(existsSync(join(aside, 'dynamodb'))).toBe(true);
  rmSync(aside, { recursive: true });
  const brand = { name: 'Lasting', image_old_keys: '[]' };
  await (await signInAs(before, 'director')).call('POST /company/product/brand', brand);
  expect(await stop(first)).toBe(0);
  await expect(fetch(before)).rejects.toThrow();

  const second = start([], {});
  const [after] = await untilSaid(second, BEGUN);
  const director = await signInAs(after, 'director');
  const { body } = await director.call('GET /company/product/brand?filter[name]=lasting');
  expect(body).toMatchObject({ data: [{ name: 'Lasting' }] });
  expect((await director.call('GET /company/product/product')).number('meta.total')).toBe(DEMO_GOODS);
  expect(await stop(second)).toBe(0);
});

test('DynamoDB Local without Java: one sentence says what to install', async () => {
  const program = start(['--memory'], { PATH: directory, TABLE_ENGINE: 'dynamodb-local' });
  const [said] = await Promise.all([textOf(program.stderr), once(program, 'exit')]);
  expect(said.trim()).toMatch(/^Java 17 is needed .*Install it.*$/);
  expect(program.exitCode).toBe(1);
});

test('data of a start that was cut off are begun anew, without a word', async () => {
  const data = join(directory, '.local');
  rmSync(data, { recursive: true, force: true });
  const first = start([], {});
  while (!existsSync(join(data, 'dynamodb'))) await pause(10);
  const ended = once(first, 'exit');
  first.kill('SIGKILL');
  await ended;
  const second = start([], {});
  const [address] = await untilSaid(second, BEGUN);
  await signInAs(address, 'cashier');
  expect(await stop(second)).toBe(0);
  expect(readdirSync(directory).filter((name) => name.includes('until'))).toEqual([]);
});

test('the demo’s cashier may do a cashier’s day (Contract 9.144)', async () => {
  const program = start(['--memory'], {});
  const [address] = await untilSaid(program, BEGUN);
  const [director, cashier] = [await signInAs(address, 'director'), await signInAs(address, 'cashier')];
  await director.call('PUT /company/company/settings', { cashbox_shift_settings: { is_enabled: true } });
  const counter = { cashbox_id: 3, stock_id: 1 };
  const shift = await cashier.make('/company/trade/cashbox-shift', counter);
  const who = { full_name: 'Ali Valiyev', main_phone: '998901112233' };
  const client_id = await cashier.make('/company/client/client', who);
  const seen = await cashier.call('GET /company/client/client?filter[full_name]=valiyev');
  expect(seen.body).toMatchObject({ data: [{ id: client_id }] });
  const products = [{ product_id: 1, quantity: 1 }];
  const held = { ...counter, full_name: 'Ali', date: '2099-01-31', cheque: 1, products };
  const hold_id = await cashier.make('/company/trade/hold', held);
  const sell = (given: object, ...payments: readonly (readonly [string, number])[]) =>
    cashier.make('/company/trade/sale', {
      ...{ ...counter, currency: 'uzs', ...given },
      transactions: payments.map(([payment_type, amount]) => ({ payment_type, amount })),
    });
  await sell({ hold_id }, ['cash', 4000]);
  const two = { client_id, due_date: '2099-01-31', products: [{ product_id: 1, sold_quantity: 2 }] };
  const sale = await sell(two, ['cash', 4000], ['debt', 4000]);
  const back = await cashier.call(`GET /company/trade/sale/${sale}`);
  await cashier.call(`PATCH /company/trade/sale/${sale}/return`, {
    products: [{ id: back.number('products.0.id'), reason_type: 'defective', returned_quantity: 1 }],
    transactions: [],
  });
  await sell(two, ['debt', 8000]);
  const payments = [{ payment_type: 'cash', amount: 8000 }];
  await cashier.call('POST /company/client/debt-payment', { cashbox_id: 3, client_id, payments });
  await cashier.call(`PATCH /company/trade/cashbox-shift/${shift}/close`, { closing_action: 'keep' });
  expect(await stop(program)).toBe(0);
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

test('no deployment has a clock to set (Contract 9.59)', async () => {
  const routes = await discoverRoutes();
  expect(routes.filter(({ path }) => path.includes('_local'))).toEqual([]);
});

test('an invalid clock is reported in one sentence', async () => {
  const program = start(['--memory', '--clock', 'tomorrow'], {});
  const [said] = await Promise.all([textOf(program.stderr), once(program, 'exit')]);
  expect(said.trim()).toBe('Which time? For instance: npm start -- --clock 2026-12-01T10:00');
});

async function textOf(stream: ChildProcess['stderr']): Promise<string> {
  let text = '';
  for await (const chunk of stream ?? []) text += chunk;
  return text;
}
