import * as z from 'zod';
import { absent, equals } from '#lib/table/expression.ts';
import { type Home, type Key, recordKey } from '#lib/table/keys.ts';
import { insertionNotice } from '#lib/table/list/notice.ts';
import { NATIVE_LIMIT } from '#lib/table/native.ts';
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
 * as a rule, so that a line of a sale costs one write of two units: what fills a page of movements is put aside as one.
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

/** The fields of those rows that have an index each. */
export const BALANCE_INDEXES = ['company_id', 'stock_id', 'product_id'];

/** A balance stays exact as a number up to this: 90 million pieces. */
const MOST = 90_000_000 * ONE;

/** As many movements as a row keeps where transactions have no room to put a page aside: it is ten kilobytes then. */
const MOST_RECENT = 10 * PAGE;

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

/**
 * The writes that bring balances from what was read to what they are to be; `Contention` where one has changed since.
 * They stand in a transaction with so many others. Pages of movements are put aside, the fullest rows' first, as far as
 * that leaves it within DynamoDB's own: with one more the transaction would take three times as long.
 */
export function balanceWrites(home: Home, balances: readonly Balance[], others: number): Write[] {
  const added = balances.filter(({ version }) => version === 0).length;
  const room = NATIVE_LIMIT - balances.length - added - others;
  const fullest = balances
    .filter(({ recent }) => recent.length >= PAGE)
    .sort((a, b) => b.recent.length - a.recent.length);
  const urgent = fullest.filter(({ recent }) => recent.length >= MOST_RECENT).length;
  const turned = new Set(room < 0 ? fullest : fullest.slice(0, Math.max(room, urgent)));
  return balances.flatMap((balance) => writesOf(home, balance, turned.has(balance)));
}

function writesOf(home: Home, balance: Balance, turnsPage: boolean): Write[] {
  const { version, recent, pages } = balance;
  const key = balanceKey(home, balance.stock_id, balance.product_id);
  const row = turnsPage ? { ...balance, pages: pages + 1, recent: recent.slice(PAGE) } : balance;
  const page = putNew(pageKey(home, balance.id, pages), { entries: recent.slice(0, PAGE) });
  const unchanged = { if: version === 0 ? absent('pk') : equals('version', version) };
  return [
    put(key, { ...row, version: version + 1 }, unchanged),
    ...(turnsPage ? [page] : []),
    ...(version === 0 ? [listing(home, balance)] : []),
  ];
}

/** What lists the balance by its id; nothing of it ever changes. */
function listing(home: Home, { id, company_id, stock_id, product_id, created_at }: Balance): Write {
  const row = { id, company_id, stock_id, product_id, created_at, version: 1 };
  const source = { type: STOCK_PRODUCT, home, indexes: BALANCE_INDEXES };
  return { ...putNew(recordKey(STOCK_PRODUCT, home, id), row), ...insertionNotice(source, id) };
}
