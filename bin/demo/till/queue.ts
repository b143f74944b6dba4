import { api, ask, once, Refusal, type Schemas, Unreachable } from './api.ts';
import { type Cart, EMPTY_CART } from './cart.ts';
import { read, readAll, write } from './store.ts';

/*
 * Sales that the service may not have yet (/docs/till). A sale is stored before the first call, with a key
 * and a time; it is always sent with this same body, so it is recorded once, however often it is sent.
 */

export type SaleBody = Schemas['SaleInput'];

/** A stored sale. `waiting` is sent again; `refused` and `lost` are for a person. */
export interface Kept {
  readonly key: string;
  readonly body: SaleBody;
  /** Its lines for people. */
  readonly cart: Cart;
  readonly state: 'waiting' | 'refused' | 'lost';
  readonly reason: string | null;
  /** Number of the refused sale at the service, which keeps it too. */
  readonly refused_id: number | null;
}

/** Sales that are being sent by themselves just now. */
const inFlight = new Set<string>();

/** Reads the stored sales, the oldest first. */
export async function readSales(): Promise<Kept[]> {
  const sales = await readAll<Kept>('sales');
  return sales.sort((a, b) => ((a.body.sold_at ?? '') < (b.body.sold_at ?? '') ? -1 : 1));
}

/**
 * Sells a cart. Returns the sale, or undefined if there is no answer: then it stays in the queue. A refusal
 * is thrown, and the cart is back as it was: nothing is sold.
 */
export async function sell(sale: Kept): Promise<Schemas['Sale'] | undefined> {
  const { key, body, cart } = sale;
  inFlight.add(key);
  await settleCart(key, sale, EMPTY_CART);
  try {
    const sold = await ask(api.POST('/company/trade/sale', { params: once(key), body }));
    await write([['sales', key, undefined]]);
    return sold;
  } catch (error) {
    if (error instanceof Unreachable) return undefined;
    // Signed out is no word about the sale: it waits for the next sign-in.
    if (error instanceof Refusal && error.status === 401) throw error;
    await settleCart(key, undefined, cart);
    throw error;
  } finally {
    inFlight.delete(key);
  }
}

/** Writes a sale and the cart in one transaction: a reload finds the goods in either, never in both. */
async function settleCart(key: string, sale: Kept | undefined, cart: Cart): Promise<void> {
  const kept = ['sales', key, sale] as const;
  await write([kept, ['values', 'cart', cart]]);
}

/** Sends what waits, the oldest first, fifty a call; returns how many sales are no longer waiting. */
export async function sendQueue(): Promise<number> {
  const waiting = (await readSales()).filter(({ key, state }) => state === 'waiting' && !inFlight.has(key));
  const batch = waiting.slice(0, 50);
  if (batch.length === 0) return 0;
  const sales = batch.map(({ body }) => body);
  const { data } = await ask(api.POST('/company/trade/sale/sync', { body: { sales } }));
  const rows = new Map(data.map((row) => [row.key, row]));
  const changes = batch.flatMap((sale) => {
    const row = rows.get(sale.key);
    const value = row && afterAnswer(sale, row);
    return row && value !== sale ? [['sales', sale.key, value] as const] : [];
  });
  await write(changes);
  return changes.length;
}

/** Returns a sale with its status in the response; undefined if it is recorded. */
function afterAnswer(sale: Kept, row: Schemas['SaleSync']['data'][number]): Kept | undefined {
  if (row.status === 200) return undefined;
  if (row.status === 429 || row.status === 503) return sale;
  const texts = Object.values(row.errors ?? {}).flat();
  const reason = texts.length > 0 ? texts.join(' ') : row.message;
  const state = row.refused_id === null || row.status === 409 ? 'lost' : 'refused';
  return { ...sale, state, reason, refused_id: row.refused_id };
}

/** Retries a refused sale, for example after a goods receipt. */
export async function retry({ key, refused_id }: Kept): Promise<void> {
  if (refused_id === null) return;
  const call = { params: { path: { model: refused_id }, ...once() }, body: {} };
  await ask(api.PATCH('/company/trade/sale/refused/{model}/retry', call));
  await write([['sales', key, undefined]]);
}

/** Reads the cart of the last page. */
export async function loadCart(): Promise<Cart> {
  return (await read<Cart>('values', 'cart')) ?? EMPTY_CART;
}
