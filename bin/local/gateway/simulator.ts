import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import { isSigned, SIGNATURE, signatureOf } from '#lib/auth/signature.ts';
import { listen } from '../../cli/listen.ts';
import { CARD_SLOW, type GatewayAnswer, type Order, Orders } from './orders.ts';

/** Secret with which both the local service and the simulator sign. Contract 9.67. */
export const LOCAL_GATEWAY_SECRET = 'local-gateway-secret';

/** Duration of a payment with the slow card. Contract 9.67. */
const SLOW_MS = 30_000;

/** Every notification is sent twice, as gateways do when in doubt. */
const NOTIFICATIONS = 2;

/** Attempts of a notification, a second apart, until a response is 200. */
const TRIES = 30;

/** A payment gateway on this machine. */
export type GatewaySimulator = Awaited<ReturnType<typeof startGateway>>;

/**
 * Starts a payment gateway with the real one's protocol over HTTP, which notifies the service of payments: by
 * the code `111111`, or on the page of a QR code. Contract 9.58. `notified` returns the address to notify.
 */
export async function startGateway(notified: () => string) {
  const stopping = new AbortController();
  const orders = new Orders((order) => void notifyTwice(order, notified(), stopping.signal));
  let isDown = false;
  const server = createServer(async (request, response) => {
    if (isDown) return void response.writeHead(503).end('{}');
    const page = /^\/checkout\/([\w-]+)$/.exec(request.url ?? '/')?.[1];
    if (page !== undefined) {
      const isPaid = request.method === 'POST' && orders.pay(page);
      return void response.writeHead(200, { 'content-type': 'text/html' }).end(isPaid ? PAID : CHECKOUT);
    }
    const { status, json } = await answerTo(orders, request, { address, signal: stopping.signal });
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json));
  });
  const { address, stop } = await listen(server);
  return {
    address,
    /** Makes it respond 503 to everything for a while. */
    setDown: (down: boolean) => {
      isDown = down;
    },
    stop: async () => {
      stopping.abort();
      await stop();
    },
  };
}

async function answerTo(
  orders: Orders,
  request: IncomingMessage,
  { address, signal }: { readonly address: string; readonly signal: AbortSignal },
): Promise<GatewayAnswer> {
  const { method, url: path = '/', headers } = request;
  const sent = await text(request);
  const signature = [headers[SIGNATURE]].flat()[0];
  if (!isSigned(method === 'GET' ? path : sent, signature))
    return { status: 403, json: { code: 'signature' } };
  if (method === 'GET') return orders.show(path.split('/').at(-1) ?? '');
  const body: unknown = JSON.parse(sent);
  if (isSlow(body)) await pause(SLOW_MS, undefined, { signal }).catch(() => undefined);
  if (path === '/payments/card') return orders.byCard(body);
  if (path === '/payments/card/confirm') return orders.confirm(body);
  if (path === '/payments/qr') return orders.byQr(body, address);
  return { status: 404, json: { code: 'not_found' } };
}

const CHECKOUT = '<!doctype html><title>Checkout</title><form method="post"><button>Pay</button></form>';
const PAID = '<!doctype html><title>Checkout</title>Paid.';

function isSlow(body: unknown): boolean {
  return z.object({ card_number: z.literal(CARD_SLOW) }).safeParse(body).success;
}

async function notifyTwice(order: Order, address: string, signal: AbortSignal): Promise<void> {
  const { external_id, transaction_id, amount, status, created_at } = order;
  const body = JSON.stringify({ external_id, transaction_id, amount, status, created_at });
  const notify = () =>
    fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [SIGNATURE]: signatureOf(body) },
      body,
      signal,
    }).then(
      ({ ok }) => ok,
      () => false,
    );
  for (let delivered = 0, tried = 0; delivered < NOTIFICATIONS && tried < TRIES && !signal.aborted; tried++) {
    if (await notify()) delivered += 1;
    else await pause(1000, undefined, { signal }).catch(() => undefined);
  }
}
