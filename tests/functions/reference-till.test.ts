import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { expect, inject, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { listen } from '#bin/cli/listen.ts';
import { ROOT } from '#tests/conventions/files.ts';
import { call } from '#tests/support/http.ts';
import { codeOn } from '#tests/support/markup.ts';
import { MAX_WAIT_MS } from '#tests/support/patience.ts';
import { newGoods, newShop, piecesOf, saleBody } from '#tests/support/shop.ts';

const WAITING = { timeout: MAX_WAIT_MS, interval: 200 };

test('a till without a network: the program of the page sells each sale once, whatever is lost', async () => {
  const shop = await newShop();
  const id = await newGoods(shop, [{ quantity: 5, cost: 1 }]);
  const { address, network } = await startNetwork();
  const till = newTill({ API: address, TOKEN: shop.director }, await programOnThePage());
  const line = (sold_quantity: number) =>
    saleBody(shop, {
      products: [{ product_id: id, sold_quantity, price: 5000 }],
      transactions: [{ payment_type: 'cash', amount: 5000 * sold_quantity }],
    });

  // Offline it sells, and is killed; no sale is lost.
  let program = till.start();
  till.sell(program, line(1));
  till.sell(program, line(2));
  await expect.poll(till.states, WAITING).toEqual(['waiting', 'waiting']);
  await end(program);

  // The first response is lost: it sends the same again.
  network.state = 'loses answers';
  program = till.start();
  await expect.poll(() => piecesOf(shop, id), WAITING).toBe(2);
  network.state = 'on';
  till.sell(program, line(3));
  await expect.poll(till.states, WAITING).toEqual(['sold', 'sold', 'refused']);
  expect(await piecesOf(shop, id)).toBe(2);
  const { body } = await call('GET /company/trade/sale', { token: shop.director });
  expect(body).toMatchObject({ meta: { total: 2 } });
  const refused = await call('GET /company/trade/sale/refused', { token: shop.director });
  expect(refused.body).toMatchObject({ data: [{ status: 'waiting', amount: 15_000 }] });
  await end(program);
});

/** Starts a way to the service: it is off, loses answers, or is on. */
async function startNetwork() {
  const network = { state: 'off' };
  const server = createServer((request, response) => {
    if (network.state === 'off') return void request.socket.destroy();
    void text(request).then(async (body) => {
      const headers = {
        authorization: request.headers.authorization ?? '',
        'content-type': 'application/json',
      };
      const answer = await fetch(`${inject('address')}${request.url}`, { method: 'POST', headers, body });
      if (network.state === 'loses answers') return void request.socket.destroy();
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    });
  });
  const { address, stop } = await listen(server);
  onTestFinished(stop);
  return { address, network };
}

/** Writes the program to a file as copied by a reader. */
async function programOnThePage(): Promise<string> {
  const page = await (await fetch(`${inject('address')}/docs/till`)).text();
  const found = codeOn(page, 'till');
  expect(found.split('\n').length).toBeLessThanOrEqual(60);
  const folder = join(ROOT, '.build/tills');
  mkdirSync(folder, { recursive: true });
  const program = join(folder, `${process.pid}.mts`);
  writeFileSync(program, found);
  return program;
}

const State = z.object({ state: z.string() });

function newTill(env: Readonly<Record<string, string>>, program: string) {
  const file = join(ROOT, '.build/tills', `${process.pid}-${Date.now()}.db`);
  return {
    start: () => {
      const child = spawn(process.execPath, [program], {
        env: { ...process.env, ...env, FILE: file },
        stdio: ['pipe', 'inherit', 'inherit'],
      });
      onTestFinished(() => end(child));
      return child;
    },
    sell: ({ stdin }: ChildProcess, sale: object) => void stdin?.write(`${JSON.stringify(sale)}\n`),
    /** Returns the states of the sales, in their order. */
    states: () => {
      const db = new DatabaseSync(file, { timeout: 5000 });
      const isMade = db.prepare(`SELECT name FROM sqlite_master WHERE name = 'sales'`).all().length > 0;
      const rows = isMade ? db.prepare('SELECT state FROM sales ORDER BY rowid').all() : [];
      db.close();
      return rows.map((row) => State.parse(row).state);
    },
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
