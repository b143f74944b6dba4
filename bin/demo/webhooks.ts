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

/** Retries included, everything of the day comes within this time. */
const PATIENCE_MS = 30_000;

const Told = z.object({ type: z.string(), data: z.object({ id: z.int(), revision: z.int() }) });

/** What a receiver has got: how often each event came, and which cheques. */
interface Heard {
  readonly events: Map<string, number>;
  readonly cheques: Set<number>;
  forged: number;
}

/** Starts a receiver beside a day in the shop, and shows what arrives there. */
export async function playWebhooks(shop: DemoShop): Promise<void> {
  const heard: Heard = { events: new Map(), cheques: new Set(), forged: 0 };
  const receiver = { secret: '' };
  const { address, stop } = await listen(receiverOf(receiver, heard));
  try {
    const added = await shop.director.call('POST /company/webhook', { url: `${address}/hook`, types: TYPES });
    receiver.secret = added.text('secret');
    print(`A receiver listens at ${address}; the director has added it, and keeps its secret.`);
    const test = await shop.director.call(`POST /company/webhook/${added.number('id')}/test`);
    print(`A test is ${test.text('status')}: it answered ${test.number('attempts.0.status_code')}.\n`);
    await playDay(shop);
    const missing = await waitForSales(shop, heard);
    tell(heard, missing);
  } finally {
    await stop();
  }
}

/** Makes a server that takes what is signed by the secret, and refuses all else. */
function receiverOf(receiver: { readonly secret: string }, heard: Heard) {
  return createServer((request, response) => {
    void text(request).then((body) => {
      const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
      const isRight = isSigned(receiver.secret, body, Object.fromEntries(headers));
      if (isRight) take(heard, body);
      else heard.forged += 1;
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

function take({ events, cheques }: Heard, body: string): void {
  const { type, data } = Told.parse(JSON.parse(body));
  events.set(type, (events.get(type) ?? 0) + 1);
  if (type === 'trade.sale.created') cheques.add(data.id);
}

/** Waits until every cheque of the shop has come; answers with how many have not. */
async function waitForSales({ director }: DemoShop, { cheques }: Heard): Promise<number> {
  const rows = (await director.call('GET /company/trade/sale')).rows();
  const ids = rows.map((row) => row.number('id'));
  for (const end = Date.now() + PATIENCE_MS; ; await pause(200)) {
    const missing = ids.filter((id) => !cheques.has(id)).length;
    if (missing === 0 || Date.now() > end) return missing;
  }
}

function tell({ events, forged }: Heard, missing: number): void {
  print('\nMeanwhile the receiver was told, each time by a type and an id:');
  new Console(process.stdout).table(
    Object.fromEntries([...events].sort().map(([type, times]) => [type, { times }])),
  );
  if (forged > 0 || missing > 0) {
    throw new Error(`${forged} messages were not signed rightly, ${missing} cheques have not come`);
  }
  print('Every signature was right, and every cheque of the day has come.');
}
