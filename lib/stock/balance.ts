import * as z from 'zod';
import { absent, equals } from '#lib/table/expression.ts';
import { type Home, type Key, recordKey } from '#lib/table/keys.ts';
import { put, putNew, type Write } from '#lib/table/write.ts';
import { ONE, Quantity } from '#lib/values/quantity.ts';
import { Timestamp } from '#lib/values/time.ts';
import { Batch, type Part, takeOldest, without, withParts } from './batch.ts';
import { type Cause, Entry, entryOf, PAGE, pageKey } from './movement.ts';

/*
 * What a warehouse has of a product: the quantity, the batches it is made of, and its latest movements.
 *
 * A change is computed from the row as it was read and written under the condition that the row is still that (its
 * `version`), so nothing is lost, doubled or taken below zero, whatever runs at once; who comes second reads again.
 * The quantity, its batches and the movement are one item: they can't tell different stories. It stays under a kilobyte,
 * so that a line of a sale costs one write of two units: what fills a page of movements is put aside as one.
 */
export const Balance = z.object({
  id: z.int(),
  company_id: z.int(),
  stock_id: z.int(),
  product_id: z.int(),
  quantity: Quantity,
  batches: z.array(Batch),
  recent: z.array(Entry),
  /** The full pages of movements that were put aside. */
  pages: z.int(),
  created_at: Timestamp,
  /** 0 for one that isn't in the table yet. */
  version: z.int(),
});

export type Balance = Readonly<z.input<typeof Balance>>;

/** The type of the rows that list balances by their ids. */
export const STOCK_PRODUCT = 'stock-product';

/** A balance stays exact as a number up to this: 90 million pieces. */
const MOST = 90_000_000 * ONE;

/** As many movements as a row keeps where the transaction has no room to put a page aside. */
const MOST_RECENT = 3 * PAGE;

/** As many rows as a transaction changes before it has no room for pages. */
const ROOMY = 40;

/** Where the balance of a product in a warehouse is. */
export function balanceKey(home: Home, stockId: number, productId: number): Key {
  return { pk: `balance#${home}#${stockId}`, sk: String(productId).padStart(12, '0') };
}

/** Takes goods, the oldest batches first. Undefined where there are not as many. */
export function take(balance: Balance, quantity: number, cause: Cause) {
  const parts = takeOldest(balance.batches, quantity);
  return parts && { balance: takeParts(balance, parts, cause), parts };
}

/** Takes goods of just these batches, which must have as many. */
export function takeParts(balance: Balance, parts: readonly Part[], cause: Cause): Balance {
  return moved(balance, without(balance.batches, parts), parts, cause);
}

/** Puts goods in: new ones, or back into the batches they were taken of. Undefined over 90 million pieces. */
export function putIn(balance: Balance, parts: readonly Part[], cause: Cause): Balance | undefined {
  const after = moved(balance, withParts(balance.batches, parts), parts, cause);
  return after.quantity > MOST ? undefined : after;
}

function moved(balance: Balance, batches: Batch[], parts: readonly Part[], cause: Cause): Balance {
  const quantity = batches.reduce((sum, { left }) => sum + left, 0);
  const entry = entryOf(cause, quantity - balance.quantity, quantity, parts);
  return { ...balance, quantity, batches, recent: [...balance.recent, entry] };
}

/** The writes that bring balances from what was read to what they are to be; `Contention` where one has changed since. */
export function balanceWrites(home: Home, balances: readonly Balance[]): Write[] {
  const most = balances.length > ROOMY ? MOST_RECENT : PAGE;
  return balances.flatMap((balance) => writesOf(home, balance, most));
}

function writesOf(home: Home, balance: Balance, most: number): Write[] {
  const { version, recent } = balance;
  const key = balanceKey(home, balance.stock_id, balance.product_id);
  const full = recent.length >= most ? Math.floor(recent.length / PAGE) : 0;
  const pages = Array.from({ length: full }, (_, index) =>
    putNew(pageKey(home, balance.id, balance.pages + index), {
      entries: recent.slice(index * PAGE, (index + 1) * PAGE),
    }),
  );
  const row = {
    ...balance,
    version: version + 1,
    pages: balance.pages + full,
    recent: recent.slice(full * PAGE),
  };
  const unchanged = { if: version === 0 ? absent('pk') : equals('version', version) };
  return [put(key, row, unchanged), ...pages, ...(version === 0 ? [listing(home, balance)] : [])];
}

/** What lists the balance by its id; nothing of it ever changes. */
function listing(home: Home, { id, company_id, stock_id, product_id, created_at }: Balance): Write {
  const row = { id, company_id, stock_id, product_id, created_at, version: 1 };
  return putNew(recordKey(STOCK_PRODUCT, home, id), row);
}
