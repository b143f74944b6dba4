import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';
import * as z from 'zod';
import { hashPassword } from '#lib/access/passwords.ts';
import { newSuperAdministrator, newUser } from '#tests/kit/family.ts';
import { call } from '#tests/kit/http.ts';

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, '../../bin/smoke.ts');
const PASSWORD = 'Smoke-2026';

async function newAccount(): Promise<string> {
  const username = `smoke.${randomUUID()}`;
  await newUser({ type: 'super_admin', username, password_hash: await hashPassword(PASSWORD) });
  return username;
}

function smoke(username: string, password = PASSWORD) {
  const args = [PROGRAM, '--address', inject('address'), '--username', username];
  return run(process.execPath, args, { env: { ...process.env, SMOKE_PASSWORD: password } });
}

const Found = z.object({ data: z.array(z.object({ id: z.int() })) });

/** Sells a piece in the sandbox, as a round does that is cut off before it takes the piece back. */
async function cutOffRound(username: string): Promise<void> {
  const admin = await newSuperAdministrator();
  const first = async (path: string, token: string) =>
    Found.parse((await call(`GET ${path}`, { token })).body).data[0]?.id ?? 0;
  const company = await first(`/admin/company/company?filter[name]=Sandbox of ${username}`, admin);
  const director = await first(`/admin/company/user?filter[company_id]=${company}`, admin);
  const { body } = await call(`PATCH /admin/user/user/${director}/auth-as`, { token: admin });
  const { token } = z.object({ token: z.string() }).parse(body);
  const stock_id = await first('/company/stock/stock', token);
  const product_id = await first('/company/product/product', token);
  const cashbox_id = await first('/company/cashbox/cashbox?filter[type]=sale', token);
  const receipt = { stock_id, currency: 'uzs', products: [{ product_id, quantity: 1, cost: 500 }] };
  const made = await call('POST /company/trade/purchase', { token, json: receipt });
  const { id } = z.object({ id: z.int() }).parse(made.body);
  await call(`PATCH /company/trade/purchase/${id}/complete`, { token });
  const products = [{ product_id, sold_quantity: 1 }];
  const transactions = [{ payment_type: 'cash', amount: 1000 }];
  const cheque = { cashbox_id, stock_id, currency: 'uzs', products, transactions };
  await expect(call('POST /company/trade/sale', { token, json: cheque })).resolves.toMatchObject({
    status: 200,
  });
}

test('a round sells and takes back in a sandbox whose books are at zero after it, also after one that was cut off', {
  timeout: 60_000,
}, async () => {
  const username = await newAccount();
  const first = await smoke(username);
  expect(first.stdout).toMatch(/sells it once, by two calls +\d+ ms/);
  expect(first.stdout).toContain(
    'All is well; the sandbox has nothing on its shelves and nothing in its desk.',
  );
  await cutOffRound(username);
  const second = await smoke(username);
  expect(second.stdout).toContain('All is well');
});

test('what is not well is told by its step, and the program ends with 1', async () => {
  await expect(smoke(await newAccount(), 'Wrong-2026')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Not well: signs in: /),
  });
});
