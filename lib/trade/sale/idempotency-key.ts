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
 * A till's key of a sale belongs to its desk for good: the transaction of the sale claims it. A till that
 * lost a response, or its memory of all that it sent, sends everything again, and each sale is made once.
 * Claims of one key at several desks share a partition, so that a filter by key finds them all.
 */

/** Claim of a key with a sale; `refused_id` if it was refused and stored before. */
const SoldKey = z.object({ sale_id: z.int(), terms: z.string(), refused_id: z.int().optional() });

/** Claim of a key whose sale was refused and stored. */
const RefusedKey = z.object({ refused_id: z.int() });

export type SoldKey = Readonly<z.output<typeof SoldKey>>;
export type RefusedKey = Readonly<z.output<typeof RefusedKey>>;

const KnownKey = z.union([SoldKey, RefusedKey]);

/** Key of a sale, with its desk. */
export interface DeskKey {
  readonly cashbox_id: number;
  readonly key: string;
}

/** Returns the key of a claim, for `saleKeyIn`. */
export function claimKeyOf(tenant: Tenant, { cashbox_id, key }: DeskKey): Key {
  return { pk: partitionOf(tenant, key), sk: padId(cashbox_id) };
}

/** Parses the claim read at `claimKeyOf`; undefined if the key is new. */
export function saleKeyIn(item: Item | undefined): SoldKey | RefusedKey | undefined {
  return item && KnownKey.parse(item);
}

/** Reads the claim of a key; undefined if the key is new. */
export async function readSaleKey(tenant: Tenant, key: DeskKey): Promise<SoldKey | RefusedKey | undefined> {
  return saleKeyIn(await getItem(claimKeyOf(tenant, key)));
}

/**
 * Builds the write that claims a key for a sale, or takes over the claim of the refused sale that it was
 * before. `Contention` if the claim has changed.
 */
export function saleKeyWrite(tenant: Tenant, key: DeskKey, { refused_id, ...sold }: SoldKey): Write {
  const place = claimKeyOf(tenant, key);
  if (refused_id === undefined) return putNew(place, sold);
  const isWaiting = all([equals('refused_id', refused_id), absent('sale_id')]);
  return put(place, { ...sold, refused_id }, { if: isWaiting });
}

/** Builds the write that claims a key for a refused sale. `Contention` if the key is already claimed. */
export function keyWriteOfRefused(tenant: Tenant, key: DeskKey, refused: RefusedKey): Write {
  return putNew(claimKeyOf(tenant, key), { ...refused });
}

/**
 * Returns the fingerprint that distinguishes sales with the same key: validated, with defaults, and in a
 * fixed order. Part 4, 4.4, 1.
 */
export function saleFingerprint(input: SaleInput): string {
  const { stock_id, client_id, hold_id, currency, sold_at, due_date } = input;
  const compared = [
    [stock_id, client_id, hold_id, currency, sold_at, due_date],
    input.products.map((line) => [line.product_id, line.sold_quantity, line.price ?? null, line.discount]),
    input.bundles.map((line) => [line.bundle_id, line.quantity, line.price ?? null, line.discount]),
    input.transactions.map((paid) => [paid.payment_type, paid.amount, ...foreignOf(paid, currency)]),
    // Absent from claims that predate them.
    ...(input.services.length > 0 ? [input.services.map(termsOfService)] : []),
    ...(input.discount === null ? [] : [{ discount: input.discount }]),
    ...(input.price_type_id === null ? [] : [{ price_type_id: input.price_type_id }]),
  ];
  return createHash('sha256').update(JSON.stringify(compared)).digest('base64url');
}

function termsOfService({ service_id, quantity, price, discount }: SaleInput['services'][number]) {
  return [service_id, quantity, price ?? null, discount];
}

function foreignOf({ currency }: SaleInput['transactions'][number], own: Currency): Currency[] {
  return currency === null || currency === own ? [] : [currency];
}

/** Adds the ids of the sales for a filter by key, which has no index, only claims. */
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
