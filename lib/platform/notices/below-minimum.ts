import * as z from 'zod';
import { canReach } from '#lib/auth/account-manager.ts';
import { everyFamily } from '#lib/people/company/families.ts';
import { companies } from '#lib/people/company/record.ts';
import { announcement, NOTIFICATION } from '#lib/people/notification.ts';
import { productNames } from '#lib/reports/frame/cards.ts';
import { BelowMinimum, belowMinimumKey } from '#lib/reports/reorder/below-minimum.ts';
import { type OrderedCard, readOrderedCards } from '#lib/reports/reorder/cards.ts';
import { StockLevel, stockLevelKey } from '#lib/stock/stock-level.ts';
import { warehouses } from '#lib/stock/warehouse.ts';
import { put } from '#lib/table/change/write.ts';
import { absent, equals } from '#lib/table/expression.ts';
import { familyTenant, PLATFORM, partition, type Tenant } from '#lib/table/keys.ts';
import { packIds } from '#lib/table/list-index/ids.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { splitEvery, workOnAll } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { recipientsOf } from './recipients.ts';

const HOUR_MS = 3_600_000;

const RIGHT = 'company.report.reorder';

/** Products that a notification names. Part 5, 5B.11. */
const MAX_NAMES = 20;

/** Families, and stock levels, read concurrently. */
const PARALLEL = 5;
const STEP = 1000;

const Company = z.object({ id: z.int(), name: z.string(), is_deleted: z.literal(false) });
const Warehouse = z.object({ id: z.int(), company_id: z.int(), is_deleted: z.literal(false) });
const Level = StockLevel.pick({ quantity: true, product_id: true });

/** Look at a company. */
interface Look {
  readonly company: z.output<typeof Company>;
  readonly at: Instant;
}

/** A card with a minimum. */
type Minimal = OrderedCard & { readonly min_quantity: number };

/**
 * Looks at the free quantities of all products with a minimum, and notifies of those that have come under it
 * since the last look, at most once an hour a company. A family that fails does not hinder the others.
 */
export async function lookAtMinimums(at: Instant): Promise<void> {
  await workOnAll(everyFamily(), PARALLEL, (id) => lookAtFamily(familyTenant(id), at));
}

/** Looks at a family's minimums. */
export async function lookAtFamily(tenant: Tenant, at: Instant): Promise<void> {
  const cards = [...(await readOrderedCards(tenant, undefined)).values()].filter(hasMinimum);
  const [companyItems, warehouseItems] = await Promise.all([
    wholePartition(partition(companies.type, tenant)),
    wholePartition(partition(warehouses.type, tenant)),
  ]);
  const open = warehouseItems.flatMap((item) => Warehouse.safeParse(item).data ?? []);
  for (const company of companyItems.flatMap((item) => Company.safeParse(item).data ?? [])) {
    const own = open.filter(({ company_id }) => company_id === company.id).map(({ id }) => id);
    // A company without a warehouse has no goods to run out of.
    const below = own.length > 0 ? await readBelow(tenant, own, cards) : [];
    await settle(tenant, { company, at }, below);
  }
}

function hasMinimum(card: OrderedCard): card is Minimal {
  return card.min_quantity !== null && card.min_quantity > 0;
}

/** Lists the products whose free quantity in some warehouses is under their minimum. */
async function readBelow(
  tenant: Tenant,
  stockIds: readonly number[],
  cards: readonly Minimal[],
): Promise<Minimal[]> {
  const keys = cards.flatMap(({ id }) => stockIds.map((stockId) => stockLevelKey(tenant, stockId, id)));
  const free = new Map<number, number>();
  for (const step of splitEvery(keys, STEP)) {
    for (const item of await getItems(step)) {
      const level = Level.safeParse(item).data;
      if (level) free.set(level.product_id, (free.get(level.product_id) ?? 0) + Number(item?.['quantity']));
    }
  }
  return cards.filter(({ id, min_quantity }) => (free.get(id) ?? 0) < min_quantity);
}

/** Stores a company's products under their minimum, and notifies of the new ones in the same transaction. */
async function settle(tenant: Tenant, { company, at }: Look, below: readonly Minimal[]): Promise<void> {
  const key = belowMinimumKey(tenant, company.id);
  const ids = below.map(({ id }) => id).sort((a, b) => a - b);
  await retryOnContention(async () => {
    const item = await getItem(key);
    const before = item && BelowMinimum.parse(item);
    const known = new Set(before?.products);
    const fresh = below.filter(({ id }) => !known.has(id));
    if (fresh.length === 0 && known.size === ids.length) return;
    const { notified_at, version } = before ?? { notified_at: 0, version: 0 };
    if (fresh.length > 0 && hourOf(notified_at) === hourOf(at)) return;
    const guard = { if: before ? equals('version', version) : absent('pk') };
    const after = {
      ...{ company_id: company.id, count: ids.length, products: packIds(ids), version: version + 1 },
      notified_at: fresh.length > 0 ? at : notified_at,
    };
    await transact([
      put(key, after, guard),
      ...(fresh.length > 0 ? await noticeWrites(tenant, { company, at }, fresh) : []),
    ]);
  });
}

async function noticeWrites(tenant: Tenant, { company, at }: Look, fresh: readonly Minimal[]) {
  const shown = fresh.slice(0, MAX_NAMES);
  const [id, nameOf, recipients] = await Promise.all([
    nextId(NOTIFICATION, PLATFORM),
    productNames(tenant, new Map(shown.map((card) => [card.id, card]))),
    recipientsOf(tenant, RIGHT, (actor) => canReach(actor, company.id)),
  ]);
  const names = shown.map((card) => nameOf(card.id) ?? card.name).join(', ');
  const values = { company: company.name, count: fresh.length, names };
  const label = { key: 'notification.below_minimum', with: values } as const;
  return announcement({ id, label, created_at: at, kind: 'below_minimum' }, recipients);
}

function hourOf(at: Instant): number {
  return Math.floor(at / HOUR_MS);
}
