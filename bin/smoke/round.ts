import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { errorSentence } from '../cli/error-sentence.ts';
import { requireOption } from '../cli/main.ts';
import { signInAs } from '../cli/person.ts';
import { GOODS_RECEIPT_ROUTE, receiveDelivery, SALE_ROUTE, saleAt } from '../cli/trade.ts';
import { enterSandbox, type Sandbox, type Timed } from './sandbox.ts';

const Desk = z.object({ balances: z.record(z.string(), z.record(z.string(), z.number())) });

/** A service to test, and the testing administrator. */
interface SmokeTarget {
  readonly address: string;
  readonly username: string;
  readonly password: string;
}

/** Reads the password of the testing administrator. */
export function requirePassword(): string {
  return requireOption(process.env['SMOKE_PASSWORD'], 'Which password has the administrator who tries it?');
}

/**
 * Signs in, and has a sandbox company receive, sell and take back goods, until its books are at zero again.
 * Prints each step; throws at the first deviation.
 */
export async function smoke({ address, username, password }: SmokeTarget, log: (line: string) => void) {
  const timed = newStopwatch(log);
  const admin = await timed('signs in', () => signInAs(address, username, password));
  await timed('lets a browser of another origin ask', () => sendPreflight(address));
  await sellAndReturn(await enterSandbox({ address, username }, admin, timed), timed);
  log('All is well; the sandbox has nothing on its shelves and nothing in its desk.');
}

/** Request headers of a web till's sale, which a browser of another origin checks by a preflight. */
const SENT = ['authorization', 'content-type', 'idempotency-key'];

/** Expected response headers of the preflight. */
const PREFLIGHT_HEADERS = {
  'access-control-allow-origin': ['*'],
  'access-control-allow-methods': ['post'],
  'access-control-allow-headers': SENT,
};

/** Sends the preflight of a sale from another origin. Throws if it is rejected. */
async function sendPreflight(address: string): Promise<void> {
  const { ok, status, headers } = await fetch(`${address}${SALE_ROUTE}`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://till.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': SENT.join(','),
    },
  });
  if (!ok) throw new Error(`it is answered by ${status}`);
  for (const [name, values] of Object.entries(PREFLIGHT_HEADERS)) {
    const given = headers.get(name)?.toLowerCase().split(/,\s*/) ?? [];
    const missing = values.filter((value) => !given.includes(value));
    if (missing.length > 0) throw new Error(`${name} lacks ${missing.join(', ')}`);
  }
}

/**
 * Receives a piece, sells it, twice with one key, returns it and cancels the goods receipt. First ends
 * documents left open by an interrupted run. Throws if the books are not at zero afterwards.
 */
async function sellAndReturn(sandbox: Sandbox, timed: Timed): Promise<void> {
  const { director, product_id, stock_id } = sandbox;
  await timed('ends what an earlier round left open', () => endAll(sandbox));
  await timed('receives a piece', async () => {
    await receiveDelivery(director, { stock_id, products: [{ product_id, quantity: 1, cost: 500 }] });
  });
  await timed('sells it once, by two calls', async () => {
    const sale = saleAt(sandbox, [[product_id, 1]], { cash: 1000 });
    const key = { 'idempotency-key': randomUUID() };
    const first = await director.call(`POST ${SALE_ROUTE}`, sale, key);
    const again = await director.call(`POST ${SALE_ROUTE}`, sale, key);
    if (first.number('id') !== again.number('id')) throw new Error('sold twice');
  });
  await timed('reads lists', async () => {
    await director.call(`GET ${SALE_ROUTE}`);
    await director.call('GET /company/stock/product?with[]=product');
  });
  await timed('takes it back and cancels the receipt', () => endAll(sandbox));
  await timed('looks into the books', () => requireZero(sandbox));
}

/** Returns sold goods, then cancels goods receipts. */
async function endAll({ director }: Sandbox): Promise<void> {
  const sales = await director.call(`GET ${SALE_ROUTE}?filter[status]=completed`);
  for (const sale of sales.rows()) {
    const id = sale.number('id');
    const amount = (await director.call(`GET ${SALE_ROUTE}/${id}`)).number('sold_amount');
    const transactions = [{ payment_type: 'cash', amount }];
    await director.call(`PATCH ${SALE_ROUTE}/${id}/return`, { transactions });
  }
  for (const status of ['draft', 'completed']) {
    const receipts = await director.call(`GET ${GOODS_RECEIPT_ROUTE}?filter[status]=${status}`);
    for (const receipt of receipts.rows()) {
      await director.call(`PATCH ${GOODS_RECEIPT_ROUTE}/${receipt.number('id')}/cancel`);
    }
  }
}

async function requireZero({ director, stock_id, cashbox_id }: Sandbox): Promise<void> {
  const shelves = await director.call(`GET /company/stock/product?filter[stock_id]=${stock_id}`);
  const desk = await director.call(`GET /company/cashbox/cashbox/${cashbox_id}`);
  const pieces = shelves.rows().map((shelf) => shelf.number('quantity'));
  const money = Object.values(Desk.parse(desk.body).balances).flatMap((sums) => Object.values(sums));
  if ([...pieces, ...money].some((each) => each !== 0)) {
    throw new Error(`left are ${pieces.join(', ')} pieces and ${money.join(', ')} of money`);
  }
}

/** Returns a timer of steps; the error of a failed step names it. */
function newStopwatch(log: (line: string) => void): Timed {
  return async (step, work) => {
    const began = performance.now();
    try {
      const result = await work();
      log(`${step.padEnd(40)} ${Math.round(performance.now() - began)} ms`);
      return result;
    } catch (error) {
      throw new Error(`${step}: ${errorSentence(error)}`, { cause: error });
    }
  };
}
