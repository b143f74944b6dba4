import * as z from 'zod';
import { canReach } from '#lib/auth/account-manager.ts';
import { everyFamily } from '#lib/people/company/families.ts';
import { companies } from '#lib/people/company/record.ts';
import { announcement, NOTIFICATION } from '#lib/people/notification.ts';
import { productNames } from '#lib/reports/frame/cards.ts';
import { BelowMinimum, belowMinimumKey } from '#lib/reports/reorder/below-minimum.ts';
import { type OrderedCard, readCardsOf, readOrderedCards } from '#lib/reports/reorder/cards.ts';
import { STOCK_LEVEL_ROW, StockLevel, stockLevelKey } from '#lib/stock/stock-level.ts';
import { warehouses } from '#lib/stock/warehouse.ts';
import { put, type Write } from '#lib/table/change/write.ts';
import { familyTenant, PLATFORM, partition, recordKey, type Tenant } from '#lib/table/keys.ts';
import { packIds } from '#lib/table/list-index/ids.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { splitEvery, workOnAll } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { decideBelow } from './decide-below.ts';
import { type MinimumChanges, placeWrite, readMinimumChanges } from './minimum-changes.ts';
import { recipientsOf } from './recipients.ts';

const RIGHT = 'company.report.reorder';

/** Products that a notification names. Part 5, 5B.11. */
const MAX_NAMES = 20;

/** Families, and stock levels, read concurrently. */
const PARALLEL = 5;
const STEP = 1000;

const Company = z.object({ id: z.int(), name: z.string(), is_deleted: z.literal(false) });
const Warehouse = z.object({ id: z.int(), company_id: z.int(), is_deleted: z.literal(false) });
const Level = StockLevel.pick({ quantity: true, product_id: true });
const LevelRow = z.object({ product_id: z.int() });

/** Look at a company. */
interface Look {
  readonly company: z.output<typeof Company>;
  readonly at: Instant;
}

/** A card with a minimum. */
type Minimal = OrderedCard & { readonly min_quantity: number };

/** Products that a look is at, all if `ids` is undefined, and those of them that are meant. */
interface Looked {
  readonly ids: ReadonlySet<number> | undefined;
  readonly cards: readonly Minimal[];
}

/**
 * Looks at the free quantities of products with a minimum, and notifies of those that have come under it
 * since the last look, at most once an hour a company. A family that fails does not hinder the others.
 */
export async function lookAtMinimums(at: Instant): Promise<void> {
  await workOnAll(everyFamily(), PARALLEL, (id) => lookAtFamily(familyTenant(id), at));
}

/**
 * Looks at a family's minimums: at the products that have changed since the last look, or at all of them.
 * Everything ends in one transaction, so a product is neither passed over nor notified of twice.
 */
export function lookAtFamily(tenant: Tenant, at: Instant): Promise<void> {
  return retryOnContention(async () => {
    const changes = await readMinimumChanges(tenant);
    const { changed, before, after } = changes;
    const looked = await readLooked(tenant, changed);
    if (looked.ids?.size === 0 && after.page === before?.page) return;
    const settled = looked.ids?.size === 0 ? [] : await settleCompanies(tenant, looked, at);
    const isRepeated = settled.includes('later');
    const writes = settled.flatMap((each) => (each === 'later' ? [] : each));
    await transact([placeWrite(tenant, changes, { isRepeated }), ...writes]);
  });
}

/** Reads the cards that a look is at, with the ids of those that may be gone. */
async function readLooked(tenant: Tenant, changed: MinimumChanges['changed']): Promise<Looked> {
  if (!changed) {
    const cards = await readOrderedCards(tenant, undefined);
    return { ids: undefined, cards: [...cards.values()].filter(hasMinimum) };
  }
  const rows = await getItems(changed.levels.map((id) => recordKey(STOCK_LEVEL_ROW, tenant, id)));
  const sold = rows.flatMap((row) => LevelRow.safeParse(row).data?.product_id ?? []);
  const ids = new Set([...changed.products, ...sold]);
  return { ids, cards: (await readCardsOf(tenant, [...ids])).filter(hasMinimum) };
}

/** Decides on each open company; `later` if it was notified in this hour. */
async function settleCompanies(tenant: Tenant, looked: Looked, at: Instant): Promise<(Write[] | 'later')[]> {
  const [companyItems, warehouseItems] = await Promise.all([
    wholePartition(partition(companies.type, tenant)),
    wholePartition(partition(warehouses.type, tenant)),
  ]);
  const open = warehouseItems.flatMap((item) => Warehouse.safeParse(item).data ?? []);
  const settled: (Write[] | 'later')[] = [];
  for (const company of companyItems.flatMap((item) => Company.safeParse(item).data ?? [])) {
    const own = open.filter(({ company_id }) => company_id === company.id).map(({ id }) => id);
    // A company without a warehouse has no goods to run out of.
    const below = own.length > 0 ? await readBelow(tenant, own, looked.cards) : [];
    settled.push(await settle(tenant, { company, at }, { ids: looked.ids, cards: below }));
  }
  return settled;
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

/** Builds the writes for a company's products under their minimum, with the notification of the new ones. */
async function settle(tenant: Tenant, { company, at }: Look, below: Looked): Promise<Write[] | 'later'> {
  const key = belowMinimumKey(tenant, company.id);
  const item = await getItem(key);
  const decided = decideBelow(item && BelowMinimum.parse(item), below, at);
  if (decided === 'same') return [];
  if (decided === 'later') return 'later';
  const { ids, fresh, notified_at } = decided;
  const after = { company_id: company.id, count: ids.length, products: packIds(ids), notified_at };
  return [put(key, after), ...(fresh.length > 0 ? await noticeWrites(tenant, { company, at }, fresh) : [])];
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
