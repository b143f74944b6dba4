import { createHash } from 'node:crypto';
import * as z from 'zod';
import { put, putNew, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { absent, all, type Expression, equals, oneOf } from '#lib/table/expression.ts';
import { type Key, padId, type Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import type { Currency } from '#lib/values/money.ts';
import type { SaleInput } from './input.ts';

/*
 * A till's own number of a sale is its desk's for good, claimed by the transaction that makes the sale. So a
 * till that has lost an answer, or all of its memory of what it sent, sends everything again, and each is
 * sold once. Claims of one number at several desks are a partition, so that a filter by key finds them all.
 */

/** The claim of a key whose sale was made; `refused_id` if it was refused before, and kept. */
const SoldKey = z.object({ sale_id: z.int(), terms: z.string(), refused_id: z.int().optional() });

/** The claim of a key whose sale was refused, and kept. */
const RefusedKey = z.object({ refused_id: z.int() });

export type SoldKey = Readonly<z.output<typeof SoldKey>>;
export type RefusedKey = Readonly<z.output<typeof RefusedKey>>;

const KnownKey = z.union([SoldKey, RefusedKey]);

/** A till's number of a sale, with the desk that it is of. */
export interface DeskKey {
  readonly cashbox_id: number;
  readonly key: string;
}

/** Gives the key of the item that tells what a till's number has become, for `saleKeyIn`. */
export function claimKeyOf(tenant: Tenant, { cashbox_id, key }: DeskKey): Key {
  return { pk: partitionOf(tenant, key), sk: padId(cashbox_id) };
}

/** Tells what a till's number has become by the item at `claimKeyOf`; undefined if nobody has sent it. */
export function saleKeyIn(item: Item | undefined): SoldKey | RefusedKey | undefined {
  return item && KnownKey.parse(item);
}

/** Reads what a till's number has become; undefined if nobody has sent it. */
export async function readSaleKey(tenant: Tenant, key: DeskKey): Promise<SoldKey | RefusedKey | undefined> {
  return saleKeyIn(await getItem(claimKeyOf(tenant, key)));
}

/**
 * Builds the write by which a sale has its key, its own or that of the refused sale which it was before.
 * `Contention` if the key has become something else by now.
 */
export function saleKeyWrite(tenant: Tenant, key: DeskKey, { refused_id, ...sold }: SoldKey): Write {
  const place = claimKeyOf(tenant, key);
  if (refused_id === undefined) return putNew(place, sold);
  const isWaiting = all([equals('refused_id', refused_id), absent('sale_id')]);
  return put(place, { ...sold, refused_id }, { if: isWaiting });
}

/** Builds the write by which a refused sale has its key. `Contention` if another has it by now. */
export function keyWriteOfRefused(tenant: Tenant, key: DeskKey, refused: RefusedKey): Write {
  return putNew(claimKeyOf(tenant, key), { ...refused });
}

/**
 * Makes what tells a sale from another with the same key, after validation, with defaults filled in and in
 * order. Part 4, 4.4, 1.
 */
export function saleFingerprint(input: SaleInput): string {
  const { stock_id, client_id, hold_id, currency, sold_at, due_date } = input;
  const compared = [
    [stock_id, client_id, hold_id, currency, sold_at, due_date],
    input.products.map((line) => [line.product_id, line.sold_quantity, line.price ?? null, line.discount]),
    input.bundles.map((line) => [line.bundle_id, line.quantity, line.price ?? null, line.discount]),
    input.transactions.map((paid) => [paid.payment_type, paid.amount, ...foreignOf(paid, currency)]),
  ];
  return createHash('sha256').update(JSON.stringify(compared)).digest('base64url');
}

function foreignOf({ currency }: SaleInput['transactions'][number], own: Currency): Currency[] {
  return currency === null || currency === own ? [] : [currency];
}

/** Adds the ids of the sales that a filter by key asks for: a key has no index, but its claims. */
export async function withSalesOfKey(
  tenant: Tenant,
  where: readonly Expression[],
): Promise<readonly Expression[]> {
  const [key] = where.find(({ paths, values }) => values && paths[0] === 'key')?.values ?? [];
  if (typeof key !== 'string') return where;
  const claims = await wholePartition(partitionOf(tenant, key));
  const ids = claims.map(saleKeyIn).flatMap((known) => (known && 'sale_id' in known ? [known.sale_id] : []));
  return [...where, oneOf('id', ids)];
}

function partitionOf(tenant: Tenant, key: string): string {
  return `sale-key#${tenant}#${key}`;
}
