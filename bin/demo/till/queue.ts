import { api, ask, once, Refusal, type Schemas } from './api.ts';
import { type Cart, EMPTY_CART } from './cart.ts';
import { workplace } from './session.ts';
import { read, readAll, write } from './store.ts';

/*
 * Sales that the service may not have yet (/docs/till). A sale is stored before the first call, with a key
 * and a time; it is always sent with this same body, so it is recorded once, however often it is sent.
 */

export type SaleBody = Schemas['SaleInput'];

/** A stored sale, with its cart for people. */
export interface Kept {
  readonly key: string;
  readonly body: SaleBody;
  readonly cart: Cart;
  /** Reason of its refusal, for a person; null while it waits to be sent. */
  readonly reason: string | null;
}

/** Sales that are being sent by themselves just now. */
const inFlight = new Set<string>();

export async function readSales(): Promise<Kept[]> {
  const sales = await readAll<Kept>('sales');
  return sales.sort((a, b) => ((a.body.sold_at ?? '') < (b.body.sold_at ?? '') ? -1 : 1));
}

/**
 * Sells a cart. Returns the sale, or undefined if there is no answer: then it stays in the queue. A refusal
 * is thrown if its screen is still shown, and the cart is back as it was: nothing is sold.
 */
export async function sell(sale: Kept, isShown: () => boolean): Promise<Schemas['Sale'] | undefined> {
  const { key, body, cart } = sale;
  inFlight.add(key);
  await settleCart(key, sale, EMPTY_CART);
  try {
    const sold = await ask(api.POST('/company/trade/sale', { params: once(key), body }));
    // If this fails, the sale is sent again, and recognized.
    await write([['sales', key, undefined]]).catch(reportError);
    return sold;
  } catch (error) {
    // Signed out, or away from the screen of a refusal: it waits, and the queue shows the refusal.
    if (!(error instanceof Refusal) || error.status === 401 || !isShown()) return undefined;
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
  const { cashbox_id } = workplace();
  // Those of another desk wait for a cashier of it.
  const waiting = ({ key, reason, body }: Kept) =>
    reason === null && !inFlight.has(key) && body.cashbox_id === cashbox_id;
  const batch = (await readSales()).filter(waiting).slice(0, 50);
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
  return { ...sale, reason: texts.length > 0 ? texts.join(' ') : `${row.message}` };
}

/** Sends a refused sale again under its key: the service tries it, or answers what became of it. */
export async function retry(sale: Kept): Promise<void> {
  await write([['sales', sale.key, { ...sale, reason: null }]]);
  await sendQueue();
}

export async function loadCart(): Promise<Cart> {
  return (await read<Cart>('values', 'cart')) ?? EMPTY_CART;
}
