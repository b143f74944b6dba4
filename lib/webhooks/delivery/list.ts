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

/** The query string of the list of a webhook's deliveries. */
export const DeliveryList = rowsQuery({ status: exact('status', Status) }, { pageSize: MAX_PAGE_SIZE });

/**
 * As many answers of a megabyte as a list without a filter reads: ten thousand deliveries. By a status one
 * has as many, as what ends is listed by it in rows of a few bytes.
 */
const MAX_ANSWERS = 3;

/** As many earlier generations are asked for what was dropped. */
const MAX_GENERATIONS = 20;

/**
 * Lists the deliveries of a webhook, the newest first, up to some ten thousand of each status: beyond, they
 * are kept and not listed. Five round trips at most beside those of knowing the caller.
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

/** Reads the ids of what is listed, the newest first: of what has not expired by a second. */
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

/** Reads what is pending of a generation, as much as one answer has: what is due last. */
async function readPointers(pending: Pending, second: number): Promise<number[]> {
  const { value: items = [] } = await walk(pendingPartition(pending), undefined, true).next();
  return items.filter(({ expires_at }) => Number(expires_at) >= second).map((item) => Pointer.parse(item).id);
}

/** Lists the generations before one, the latest first: what was pending then was dropped. */
function earlier({ generation, ...place }: Pending): Pending[] {
  const count = Math.min(generation - 1, MAX_GENERATIONS);
  return Array.from({ length: count }, (_, index) => ({ ...place, generation: generation - 1 - index }));
}

function newestFirst(ids: readonly number[]): number[] {
  return [...new Set(ids)].sort((a, b) => b - a);
}

/** Reads deliveries with their attempts; one that is no more of its status is left out. One round trip. */
async function readRows(pending: Pending, ids: readonly number[], status: Status | undefined) {
  const items = await getItems(ids.flatMap((id) => [deliveryKey(pending, id), attemptsKey(pending, id)]));
  return splitEvery(items, 2).flatMap(([item, attempts]) => {
    const stored = StoredDelivery.safeParse(item).data;
    const shown = stored && showDelivery(stored, attempts, pending.generation);
    return shown && (status === undefined || shown.status === status) ? [shown] : [];
  });
}
