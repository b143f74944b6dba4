import { bundles } from '#lib/catalog/bundle.ts';
import { products } from '#lib/catalog/card.ts';
import { services } from '#lib/catalog/service/service.ts';
import { parseRecord } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { Contention, NotYet } from '#lib/table/journal/contention.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import type { RefusedKey } from '#lib/trade/sale/idempotency-key.ts';
import { ApiError, KeyReused, StoredSaleError } from '#lib/values/api-error.ts';
import { Currency } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { bodyIn, bodyKey, FIRST } from './body.ts';
import { type Amounts, depositTaken, goodsIn } from './goods.ts';
import { refusedSales, StoredRefusedSale, type VersionedRefusedSale } from './record.ts';

/** Body received for a key that may be in use. */
export interface RepeatedBody {
  readonly sold_at: Instant | null;
  /** As sent; undefined for a stored one. */
  readonly sent?: unknown;
  /** Set for a retry by a user, which may sell any goods. */
  readonly isRetry?: true | undefined;
}

/**
 * Reads the refused sale of a repeated key. `Contention` if it has been sold since, 422 if it was dismissed,
 * 409 if the body is of another sale. One round trip, two if the body has goods that the first one has not.
 * Part 4, 4.4, 5; Part 5, 5.0, 5.
 */
export async function readWaitingSale(
  tenant: Tenant,
  { refused_id }: RefusedKey,
  { sold_at, sent, isRetry }: RepeatedBody,
): Promise<VersionedRefusedSale> {
  const [item, first] = await getItems([
    recordKey(refusedSales.type, tenant, refused_id),
    bodyKey(tenant, refused_id, FIRST),
  ]);
  if (!item || !first) throw new NotYet();
  const refused = parseRecord(StoredRefusedSale, item);
  if (refused.status === 'sold') throw new Contention();
  if (refused.status === 'dismissed') throw dismissal(refused.id);
  if (isRetry) return refused;
  const isSame =
    sold_at === refused.sold_at &&
    hasNoMoreDeposit(bodyIn(first), sent) &&
    (await hasNoMoreGoods(tenant, bodyIn(first), sent));
  if (!isSame) throw new KeyReused({ refused_id });
  return refused;
}

function dismissal(id: number): StoredSaleError {
  return new StoredSaleError(
    new ApiError(422, { key: 'sale.dismissed' }, { key: { key: 'sale.dismissed' } }),
    id,
  );
}

/** Checks whether a body takes no more of the client's deposit than the first of its sale. */
function hasNoMoreDeposit(first: unknown, repeated: unknown): boolean {
  return Currency.options.every(
    (currency) => depositTaken(repeated, currency) <= depositTaken(first, currency),
  );
}

/** Checks whether a body has no more goods than the first of its sale. Contract 9.98. */
async function hasNoMoreGoods(tenant: Tenant, first: unknown, repeated: unknown): Promise<boolean> {
  const [firstGoods, repeatedGoods] = [goodsIn(first), goodsIn(repeated)];
  const kinds = await Promise.all([
    areWithin(tenant, products.type, firstGoods.products, repeatedGoods.products),
    areWithin(tenant, bundles.type, firstGoods.bundles, repeatedGoods.bundles),
    areWithin(tenant, services.type, firstGoods.services, repeatedGoods.services),
  ]);
  return kinds.every((isWithin) => isWithin);
}

async function areWithin(tenant: Tenant, type: string, first: Amounts, repeated: Amounts): Promise<boolean> {
  const isMore = [...repeated].some(([id, amount]) => amount > (first.get(id) ?? amount));
  if (isMore) return false;
  const others = without(repeated, first);
  if (others.length === 0) return true;
  const left = without(first, repeated);
  const items = await getItems(left.map(([id]) => recordKey(type, tenant, id)));
  return canReplace(
    others,
    left.filter((_, index) => isNotFound(items[index])),
  );
}

type Amount = readonly [id: number, amount: bigint];

function without(amounts: Amounts, others: Amounts): Amount[] {
  return [...amounts].filter(([id]) => !others.has(id));
}

/** Checks whether each new product can replace a different missing one of at least its quantity. */
function canReplace(others: readonly Amount[], notFound: readonly Amount[]): boolean {
  const places = notFound.toSorted(largestFirst);
  return others
    .toSorted(largestFirst)
    .every(([, amount], index) => amount <= (places[index]?.[1] ?? BigInt(0)));
}

function largestFirst([, a]: Amount, [, b]: Amount): number {
  return a > b ? -1 : 1;
}

function isNotFound(item: Item | undefined): boolean {
  return item === undefined || item['is_deleted'] === true;
}
