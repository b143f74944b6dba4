import { createHash } from 'node:crypto';
import * as z from 'zod';
import { put, putNew, type Write } from '#lib/table/change/write.ts';
import { type Expression, equals } from '#lib/table/expression.ts';
import type { Home, Key } from '#lib/table/keys.ts';
import { getItem, getSettled } from '#lib/table/read/get.ts';
import type { Currency } from '#lib/values/money.ts';
import type { SaleInput } from './input.ts';

/*
 * A till's own number of a sale is claimed for good, by the transaction that makes the sale. So a till that
 * has lost an answer, or all of its memory of what it sent, sends everything again, and each is sold once.
 * Each claim is a partition of its own: a family may sell as fast as if there were none.
 */

/** The claim of a key whose sale was made. */
const SoldKey = z.object({ sale_id: z.int(), terms: z.string() });

/** The claim of a key whose sale was refused, and kept: it is its desk's. */
const RefusedKey = z.object({ refused_id: z.int(), cashbox_id: z.int() });

type SoldKey = Readonly<z.output<typeof SoldKey>>;
export type RefusedKey = Readonly<z.output<typeof RefusedKey>>;

const KnownKey = z.union([SoldKey, RefusedKey]);

/** Reads what a key has become; undefined if nobody has sent it. */
export async function readSaleKey(home: Home, key: string): Promise<SoldKey | RefusedKey | undefined> {
  const item = await getItem(saleKeyKey(home, key));
  return item && KnownKey.parse(item);
}

/**
 * Reads it for a call that was refused, maybe as it saw the goods of the same sale gone and not yet its
 * claim: once no transaction is under way on the claim. Two units, and only then.
 */
export async function readSettledSaleKey(home: Home, key: string): ReturnType<typeof readSaleKey> {
  const [item] = await getSettled([saleKeyKey(home, key)]);
  return item && KnownKey.parse(item);
}

/**
 * Builds the write by which a sale has its key, its own or that of the refused sale which it was before.
 * `Contention` if the key has become something else by now.
 */
export function saleClaimWrite(home: Home, key: string, sold: SoldKey, was: number | undefined): Write {
  const place = saleKeyKey(home, key);
  return was === undefined
    ? putNew(place, { ...sold })
    : put(place, { ...sold }, { if: equals('refused_id', was) });
}

/** Builds the write by which a refused sale has its key. `Contention` if another has it by now. */
export function refusalClaimWrite(home: Home, key: string, refused: RefusedKey): Write {
  return putNew(saleKeyKey(home, key), { ...refused });
}

/**
 * Makes what tells a sale from another with the same key, after validation, with defaults filled in and in
 * order. Part 4, 4.4, 1.
 */
export function termsOf(input: SaleInput): string {
  const { cashbox_id, stock_id, client_id, hold_id, currency, sold_at, due_date } = input;
  const compared = [
    [cashbox_id, stock_id, client_id, hold_id, currency, sold_at, due_date],
    input.products.map((line) => [line.product_id, line.sold_quantity, line.price ?? null, line.discount]),
    input.bundles.map((line) => [line.bundle_id, line.quantity, line.price ?? null, line.discount]),
    input.transactions.map((paid) => [paid.payment_type, paid.amount, ...foreignOf(paid, currency)]),
  ];
  return createHash('sha256').update(JSON.stringify(compared)).digest('base64url');
}

function foreignOf({ currency }: SaleInput['transactions'][number], own: Currency): Currency[] {
  return currency === null || currency === own ? [] : [currency];
}

/** Adds the id of the sale that a filter by key asks for: a key has no index, but its claim. */
export async function withSaleOfKey(
  home: Home,
  where: readonly Expression[],
): Promise<readonly Expression[]> {
  const [key] = where.find(({ paths, values }) => values && paths[0] === 'key')?.values ?? [];
  if (typeof key !== 'string') return where;
  const known = await readSaleKey(home, key);
  return [...where, equals('id', known && 'sale_id' in known ? known.sale_id : 0)];
}

function saleKeyKey(home: Home, key: string): Key {
  return { pk: `sale-key#${home}#${key}`, sk: 'claim' };
}
