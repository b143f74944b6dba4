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
import type { Instant } from '#lib/values/time.ts';
import { bodyIn, bodyKey, FIRST } from './body.ts';
import { byKind, type GoodsIds, goodsReplaced, isSameSale, KINDS_OF_GOODS } from './decide-repeated.ts';
import { refusedSales, StoredRefusedSale, type VersionedRefusedSale } from './record.ts';

const TYPES = { products: products.type, bundles: bundles.type, services: services.type } as const;

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
  const [item, body] = await getItems([
    recordKey(refusedSales.type, tenant, refused_id),
    bodyKey(tenant, refused_id, FIRST),
  ]);
  if (!item || !body) throw new NotYet();
  const refused = parseRecord(StoredRefusedSale, item);
  if (refused.status === 'sold') throw new Contention();
  if (refused.status === 'dismissed') throw dismissal(refused.id);
  if (isRetry) return refused;
  const first = bodyIn(body);
  const gone = await readGone(tenant, goodsReplaced(first, sent));
  if (!isSameSale({ sold_at: refused.sold_at, body: first, gone }, { sold_at, body: sent })) {
    throw new KeyReused({ refused_id });
  }
  return refused;
}

/** Reads which goods do not exist, or not any more. One round trip, none without goods. */
async function readGone(tenant: Tenant, goods: GoodsIds): Promise<GoodsIds> {
  const keys = KINDS_OF_GOODS.flatMap((kind) => goods[kind].map((id) => ({ kind, id })));
  const items = await getItems(keys.map(({ kind, id }) => recordKey(TYPES[kind], tenant, id)));
  const gone = keys.filter((_, index) => isNotFound(items[index]));
  return byKind((kind) => gone.filter((each) => each.kind === kind).map(({ id }) => id));
}

function dismissal(id: number): StoredSaleError {
  return new StoredSaleError(
    new ApiError(422, { key: 'sale.dismissed' }, { key: { key: 'sale.dismissed' } }),
    id,
  );
}

function isNotFound(item: Item | undefined): boolean {
  return item === undefined || item['is_deleted'] === true;
}
