import type { Staff } from '#lib/auth/actor.ts';
import { exact, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { type ListQuery, rowsQuery } from '#lib/records/query/list-query.ts';
import { atLeast } from '#lib/table/expression.ts';
import { getItems } from '#lib/table/read/get.ts';
import { ALL_IDS, idOf, type Range, readQueryPage } from '#lib/table/read/ranges.ts';
import { pageSlice } from '#lib/table/read/request.ts';
import { walk } from '#lib/table/read/walk.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { requireCreatorGrants } from '#lib/webhooks/authority.ts';
import { find } from '#lib/webhooks/webhook.ts';
import { attemptsKey, deliveryKey, deliveryPartition, endPartition, pendingPartition } from './keys.ts';
import { type Pending, Pointer, Status, StoredDelivery, showDelivery } from './record.ts';

/** Query string of the list of a webhook's deliveries. */
export const DeliveryList = rowsQuery({ status: exact('status', Status) }, { pageSize: MAX_PAGE_SIZE });

/**
 * Query pages of a megabyte read by a list without a filter: ten thousand deliveries. A status yields as many
 * in one page, as ended deliveries are listed by rows of a few bytes.
 */
const MAX_ANSWERS = 3;

/** Earlier generations searched for dropped deliveries. */
const MAX_GENERATIONS = 20;

/**
 * Lists the deliveries of a webhook, newest first, up to some ten thousand of each status; older ones are
 * stored but not listed. Five round trips at most beside authentication.
 */
export async function listDeliveries(actor: Staff, id: number, query: ListQuery, at: Instant) {
  const webhook = await find(actor, id);
  await requireCreatorGrants(actor, webhook.creator_id);
  const pending = { tenant: actor.tenant, id, generation: webhook.generation };
  const status = Status.safeParse(query.where.flatMap(({ values = [] }) => values)[0]).data;
  const ids = await readIds(pending, status, Math.ceil(at / 1000));
  const { page, pageSize } = query;
  return { rows: await readRows(pending, pageSlice(ids, query), status), total: ids.length, page, pageSize };
}

/** Reads the ids of listed deliveries that expire after a second, newest first. */
async function readIds(pending: Pending, status: Status | undefined, second: number): Promise<number[]> {
  if (status === undefined) return readNewest(deliveryPartition(pending), second, MAX_ANSWERS);
  if (status === 'pending') return newestFirst(await readPointers(pending, second));
  const [ended, ...dropped] = await Promise.all([
    readNewest(endPartition(pending, status), second, 1),
    ...(status === 'failed' ? earlier(pending).map((each) => readPointers(each, second)) : []),
  ]);
  return newestFirst([...ended, ...dropped.flat()]);
}

async function readNewest(pk: string, second: number, max: number): Promise<number[]> {
  const where = [atLeast('expires_at', second)];
  const found: number[] = [];
  let left: Range | undefined = ALL_IDS;
  for (let answers = 0; left && answers < max; answers++) {
    const answer = await readQueryPage(pk, left, { where, only: ['id'] }, true);
    found.push(...answer.items.map(idOf));
    left = answer.left;
  }
  return found;
}

/** Reads the pending deliveries of a generation, as many as one query page holds, latest due first. */
async function readPointers(pending: Pending, second: number): Promise<number[]> {
  const { value: items = [] } = await walk(pendingPartition(pending), undefined, true).next();
  return items.filter(({ expires_at }) => Number(expires_at) >= second).map((item) => Pointer.parse(item).id);
}

/** Returns the generations before one, latest first: their pending deliveries were dropped. */
function earlier({ generation, ...place }: Pending): Pending[] {
  const count = Math.min(generation - 1, MAX_GENERATIONS);
  return Array.from({ length: count }, (_, index) => ({ ...place, generation: generation - 1 - index }));
}

function newestFirst(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => b - a);
}

/** Reads deliveries with their attempts; one whose status has changed is left out. One round trip. */
async function readRows(pending: Pending, ids: readonly number[], status: Status | undefined) {
  const items = await getItems(ids.flatMap((id) => [deliveryKey(pending, id), attemptsKey(pending, id)]));
  return splitEvery(items, 2).flatMap(([item, attempts]) => {
    const stored = StoredDelivery.safeParse(item).data;
    const shown = stored && showDelivery(stored, attempts, pending.generation);
    return shown && (status === undefined || shown.status === status) ? [shown] : [];
  });
}
