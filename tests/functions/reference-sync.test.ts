import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, inject, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { listen } from '#bin/cli/listen.ts';
import { ROOT } from '#tests/conventions/files.ts';
import { newFamilyWithBranch } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { codeOn } from '#tests/support/markup.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { newProgramKey, PROGRAM_KEYS } from '#tests/support/program-keys.ts';
import { make } from '#tests/support/records.ts';

const RIGHTS = [
  'company.product.brand.index',
  'company.product.product.index',
  'company.stock.product.index',
];

const WAITING = { timeout: MAX_WAIT_MS, interval: 300 };

const TYPES = 'types[]=product.brand';

test('keep a copy: the program of the page has everything, waits, goes on and begins anew', async () => {
  const family = await newFamilyWithBranch();
  const { director: token } = family;
  const key = await newProgramKey(family, [...RIGHTS, 'company.trade.sale.index']);
  const first = await newBrand(token, 'Artel');
  const { address, asked, refuse } = await startBetween();
  const copy = await newCopy({ API: address, TOKEN: key.key });
  refuse(503, 429);

  let program = copy.start();
  await expect.poll(() => copy.brands(), WAITING).toEqual([[first, 'Artel']]);
  expect(asked.slice(0, 3).every((query) => query.startsWith(`?${TYPES}`))).toBe(true);

  const second = await newBrand(token, 'Roison');
  await call(`PUT /company/product/brand/${first}`, {
    token,
    json: { name: 'Artel 2', image_old_keys: '[]' },
  });
  await expect
    .poll(() => copy.brands(), WAITING)
    .toEqual([
      [first, 'Artel 2'],
      [second, 'Roison'],
    ]);

  // After a kill it resumes from its cursor.
  await end(program);
  await call(`DELETE /company/product/brand/${second}`, { token });
  const before = asked.length;
  program = copy.start();
  await expect.poll(() => copy.brands(), WAITING).toEqual([[first, 'Artel 2']]);
  expect(asked[before]).toMatch(/^\?cursor=/);

  // Its reach changes: 410, and it starts over.
  const anew = asked.length;
  const reach = { ...key.form, company_ids: [family.branch] };
  expect((await call(`PUT ${PROGRAM_KEYS}/${key.id}`, { token, json: reach })).status).toBe(200);
  await expect
    .poll(() => asked.slice(anew).filter((query) => query.startsWith(`?${TYPES}`)), WAITING)
    .toHaveLength(1);
  await expect.poll(() => copy.brands(), WAITING).toEqual([[first, 'Artel 2']]);
  await end(program);
});

function newBrand(token: string, name: string): Promise<number> {
  return make('/company/product/brand', token, { name, image_old_keys: '[]' });
}

/** Starts a proxy of the service that rejects calls with the given statuses. */
async function startBetween() {
  const asked: string[] = [];
  const statuses: number[] = [];
  const server = createServer((request, response) => {
    asked.push(decodeURIComponent(new URL(request.url ?? '', inject('address')).search));
    const status = statuses.shift();
    if (status !== undefined) return void response.writeHead(status, { 'retry-after': '1' }).end();
    const headers = { authorization: request.headers.authorization ?? '' };
    void fetch(`${inject('address')}${request.url}`, { headers }).then(async (answer) => {
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
  });
  const { address, stop } = await listen(server);
  onTestFinished(stop);
  return { address, asked, refuse: (...some: number[]) => void statuses.push(...some) };
}

const Record = z.object({ id: z.int(), name: z.string() });

/** Writes the program to a file as copied by a reader; its replica has a file of its own. */
async function newCopy(env: Readonly<Record<string, string>>) {
  const page = await (await fetch(`${inject('address')}/docs/copy`)).text();
  const text = codeOn(page, 'copy');
  expect(text.split('\n').length).toBeLessThanOrEqual(40);
  const folder = join(ROOT, '.build/copies');
  mkdirSync(folder, { recursive: true });
  const program = join(folder, `${process.pid}.mts`);
  writeFileSync(program, text);
  const file = join(folder, `${process.pid}-${Date.now()}.db`);
  const db = new DatabaseSync(file, { timeout: 5000 });
  onTestFinished(() => db.close());
  return {
    start: () => {
      const child = spawn(process.execPath, [program], {
        env: { ...process.env, ...env, FILE: file },
        stdio: 'inherit',
      });
      onTestFinished(() => end(child));
      return child;
    },
    /** Lists existing brands, by the replica. */
    brands: () => {
      const tables = db.prepare(`SELECT name FROM sqlite_master WHERE name = 'records'`).all();
      const rows =
        tables.length === 0
          ? []
          : db.prepare(`SELECT record FROM records WHERE type = 'product.brand' AND NOT is_deleted`).all();
      const brands = rows.map(({ record }) => Record.parse(JSON.parse(String(record))));
      return brands.toSorted((a, b) => a.id - b.id).map(({ id, name }) => [id, name]);
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
