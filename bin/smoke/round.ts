import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { errorSentence } from '../cli/error-sentence.ts';
import { requireOption } from '../cli/main.ts';
import { signInAs } from '../cli/person.ts';
import { GOODS_RECEIPT_ROUTE, receiveDelivery, SALE_ROUTE, saleAt } from '../cli/trade.ts';
import { enterSandbox, type Sandbox, type Timed } from './sandbox.ts';

const Desk = z.object({ balances: z.record(z.string(), z.record(z.string(), z.number())) });

/** A service to be tried, and the administrator who tries it. */
interface Tried {
  readonly address: string;
  readonly username: string;
  readonly password: string;
}

/** Reads the password of the administrator who tries a service. */
export function requirePassword(): string {
  return requireOption(process.env['SMOKE_PASSWORD'], 'Which password has the administrator who tries it?');
}

/**
 * Signs in, and has a sandbox company receive, sell and take back goods, until its books are at zero again.
 * Tells each step; throws at the first that is not as it should be.
 */
export async function smoke({ address, username, password }: Tried, say: (line: string) => void) {
  const timed = newStopwatch(say);
  const admin = await timed('signs in', () => signInAs(address, username, password));
  await timed('lets a browser of another origin ask', () => askAsBrowser(address));
  await sellAndReturn(await enterSandbox({ address, username }, admin, timed), timed);
  say('All is well; the sandbox has nothing on its shelves and nothing in its desk.');
}

/** What a web till sends with a sale: its browser asks first, as the service has another origin. */
const SENT = ['authorization', 'content-type', 'idempotency-key'];

/** What a browser must be told then. */
const TOLD = {
  'access-control-allow-origin': ['*'],
  'access-control-allow-methods': ['post'],
  'access-control-allow-headers': SENT,
};

/** Asks whether a browser of another origin may sell. Throws if it may not. */
async function askAsBrowser(address: string): Promise<void> {
  const { ok, status, headers } = await fetch(`${address}${SALE_ROUTE}`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://till.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': SENT.join(','),
    },
  });
  if (!ok) throw new Error(`it is answered by ${status}`);
  for (const [name, values] of Object.entries(TOLD)) {
    const given = headers.get(name)?.toLowerCase().split(/,\s*/) ?? [];
    const missing = values.filter((value) => !given.includes(value));
    if (missing.length > 0) throw new Error(`${name} lacks ${missing.join(', ')}`);
  }
}

/**
 * Receives a piece, sells it, twice with one key, takes it back and cancels the receipt. Begins by ending
 * what an earlier round left open, if it was cut off. Throws if the books are not at zero after it.
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

/** Takes back what was sold, then cancels what was received. */
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

/** Makes a teller of steps; a step that fails is named in its error. */
function newStopwatch(say: (line: string) => void): Timed {
  return async (step, work) => {
    const began = performance.now();
    try {
      const result = await work();
      say(`${step.padEnd(40)} ${Math.round(performance.now() - began)} ms`);
      return result;
    } catch (error) {
      throw new Error(`${step}: ${errorSentence(error)}`, { cause: error });
    }
  };
}
