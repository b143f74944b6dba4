import { Console } from 'node:console';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import * as z from 'zod';
import { listen } from '../cli/listen.ts';
import { print } from '../cli/main.ts';
import { playDay } from './day.ts';
import type { DemoShop } from './shop.ts';

const TYPES = [
  'trade.sale.*',
  'trade.hold.*',
  'client.debt.*',
  'stock.product.updated',
  'cashbox.transfer.*',
];

/** Time within which all events of the day arrive, retries included. */
const PATIENCE_MS = 30_000;

const Delivered = z.object({ type: z.string(), data: z.object({ id: z.int(), revision: z.int() }) });

/** Deliveries at a receiver: count of each event, and the sales. */
interface Received {
  readonly events: Map<string, number>;
  readonly sales: Set<number>;
  forged: number;
}

/** Starts a receiver, plays a day in the shop, and shows the deliveries. */
export async function playWebhooks(shop: DemoShop): Promise<void> {
  const received: Received = { events: new Map(), sales: new Set(), forged: 0 };
  const receiver = { secret: '' };
  const { address, stop } = await listen(receiverOf(receiver, received));
  try {
    const added = await shop.director.call('POST /company/webhook', { url: `${address}/hook`, types: TYPES });
    receiver.secret = added.text('secret');
    print(`A receiver listens at ${address}; the director has added it as a webhook, with a secret.`);
    const test = await shop.director.call(`POST /company/webhook/${added.number('id')}/test`);
    print(`A test is ${test.text('status')}: it answered ${test.number('attempts.0.status_code')}.\n`);
    await playDay(shop);
    const missing = await waitForSales(shop, received);
    printReceived(received, missing);
  } finally {
    await stop();
  }
}

/** Creates a server that accepts deliveries signed by the secret, and rejects all others. */
function receiverOf(receiver: { readonly secret: string }, received: Received) {
  return createServer((request, response) => {
    void text(request).then((body) => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
      const isRight = isSigned(receiver.secret, body, Object.fromEntries(headers));
      if (isRight) take(received, body);
      else received.forged += 1;
      response.writeHead(isRight ? 204 : 401).end();
    });
  });
}

function isSigned(secret: string, body: string, headers: Record<string, string>): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch (error) {
    if (error instanceof WebhookVerificationError) return false;
    throw error;
  }
}

function take({ events, sales }: Received, body: string): void {
  const { type, data } = Delivered.parse(JSON.parse(body));
  events.set(type, (events.get(type) ?? 0) + 1);
  if (type === 'trade.sale.created') sales.add(data.id);
}

/** Waits until every sale of the shop has been delivered; returns how many have not. */
async function waitForSales({ director }: DemoShop, { sales }: Received): Promise<number> {
  const rows = (await director.call('GET /company/trade/sale')).rows();
  const ids = rows.map((row) => row.number('id'));
  for (const end = Date.now() + PATIENCE_MS; ; await pause(200)) {
    const missing = ids.filter((id) => !sales.has(id)).length;
    if (missing === 0 || Date.now() > end) return missing;
  }
}

function printReceived({ events, forged }: Received, missing: number): void {
  print('\nDeliveries to the receiver, each with a type and an id:');
  new Console(process.stdout).table(
    Object.fromEntries([...events].sort().map(([type, times]) => [type, { times }])),
  );
  if (forged > 0 || missing > 0) {
    throw new Error(`${forged} messages had a wrong signature, ${missing} sales were not delivered`);
  }
  print('Every signature was right, and every cheque of the day has come.');
}
