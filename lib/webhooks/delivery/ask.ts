import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { type Limit, takeAndSpend } from '#lib/access/throttle.ts';
import { enqueue } from '#lib/queues/queue.ts';
import { exact, LONG_PAGE } from '#lib/records/query/filters.ts';
import { type ListQuery, rowsQuery } from '#lib/records/query/list-query.ts';
import { put, update } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { all, any, atLeast, type Expression, equals, lessThan } from '#lib/table/expression.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { readAnswer, WHOLE } from '#lib/table/read/ranges.ts';
import { onPage } from '#lib/table/read/request.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { Id } from '#lib/values/fields.ts';
import { missing, refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { requireHold } from '#lib/webhooks/authority.ts';
import { disable } from '#lib/webhooks/disable.ts';
import { noteTold } from '#lib/webhooks/lane.ts';
import { find, type StoredWebhook } from '#lib/webhooks/webhook.ts';
import { messageOf, QUEUE } from './message.ts';
import { newPointer } from './pending.ts';
import {
  attemptsKey,
  DELIVERY,
  type Delivery,
  deliveryKey,
  deliveryPartition,
  expiryOf,
  type Pending,
  Status,
  StoredDelivery,
  showDelivery,
} from './record.ts';
import { sendOnce } from './send.ts';
import { keepAttempts, TEST, testData } from './try.ts';

/** How often a family may have something sent by hand. Part 4, 4.2, 5. */
export const BY_HAND: Limit = { name: 'webhooks', most: 10, seconds: 60, isCountedByOperation: true };

/** The query string of the list of a webhook's deliveries. */
export const DeliveryList = rowsQuery({ status: exact('status', Status) }, { pageSize: LONG_PAGE });

/** The parameters of one of them. */
export const DeliveryPlace = z.object({ model: Id, delivery: Id });

/** As many megabytes as a call reads of a list that may have millions of rows; older ones are left out. */
const MOST_ANSWERS = 60;

/** Lists the deliveries of a webhook, the newest first. */
export async function listDeliveries(actor: Staff, id: number, query: ListQuery, at: Instant) {
  const webhook = await find(actor, id);
  await requireHold(actor, webhook.creator_id);
  const place = { home: actor.home, id };
  const [status] = query.where.flatMap(({ values = [] }) => values);
  const where = [...standingAs(status, webhook.generation), atLeast('expires_at', Math.ceil(at / 1000))];
  const found = await readNewest(deliveryPartition(place), where);
  const shown = onPage(found, query).map((item) => StoredDelivery.parse(item));
  const attempts = await getItems(shown.map((each) => attemptsKey(place, each.id)));
  const rows = shown.map((each, index) => showDelivery(each, attempts[index], webhook.generation));
  return { rows, total: found.length, page: query.page, pageSize: query.pageSize };
}

/** Makes the conditions of a status. What was dropped while it was pending has failed. */
function standingAs(status: unknown, generation: number): Expression[] {
  const isPending = equals('status', 'pending');
  if (status === 'pending') return [isPending, equals('generation', generation)];
  if (status !== 'failed') return status === undefined ? [] : [equals('status', status)];
  return [any([equals('status', 'failed'), all([isPending, lessThan('generation', generation)])])];
}

async function readNewest(pk: string, where: readonly Expression[]): Promise<Item[]> {
  const found: Item[] = [];
  let left: typeof WHOLE | undefined = WHOLE;
  for (let answers = 0; left && answers < MOST_ANSWERS; answers++) {
    const answer = await readAnswer(pk, left, { where }, true);
    found.push(...answer.items);
    left = answer.left;
  }
  return found;
}

/**
 * Sends a webhook's receiver a test, now, and gives its delivery. It is not sent again by itself, and says
 * nothing of how the receiver answers otherwise; but one that is gone is gone.
 */
export async function sendTest(actor: Staff, id: number, at: Instant): Promise<Delivery> {
  const webhook = await find(actor, id);
  await requireHold(actor, webhook.creator_id);
  await takeAndSpend(BY_HAND, actor.home, at);
  const pending = { home: actor.home, id, generation: webhook.generation };
  const delivery = await nextId(DELIVERY, actor.home);
  const data = testData(webhook);
  const outcome = await sendOnce(pending, webhook, { id: delivery, event: TEST, changed_at: at, data }, at);
  const status = outcome.isDelivered ? 'delivered' : 'failed';
  const stored: StoredDelivery = {
    ...{ id: delivery, webhook_id: id, type: TEST, record_id: id, revision: data.revision, status },
    ...{ next_attempt_at: null, created_at: at, changed_at: at, tries: 0, generation: webhook.generation },
    company_id: webhook.company_id,
    expires_at: expiryOf(status, at),
  };
  const attempts = keepAttempts(pending, delivery, undefined, outcome);
  await transact([put(deliveryKey(pending, delivery), stored), attempts]);
  if (outcome.isGone) await disable(pending, { reason: 'receiver', failingSince: null }, at);
  return showDelivery(stored, { attempts: [outcome.attempt] }, webhook.generation);
}

/**
 * Has a delivery that came to an end sent once more, by the same `webhook-id`, with the newest revision; its
 * tries begin anew. 400 for one that is pending, and of a webhook that is not active.
 */
export async function redeliver(
  actor: Staff,
  { model: id, delivery }: z.output<typeof DeliveryPlace>,
  at: Instant,
): Promise<Delivery> {
  const webhook = await find(actor, id);
  await requireHold(actor, webhook.creator_id);
  await takeAndSpend(BY_HAND, actor.home, at);
  const pending = { home: actor.home, id, generation: webhook.generation };
  const stored = await retryOnContention(() => makePending(pending, webhook, delivery, at));
  await noteTold(pending);
  await enqueue(QUEUE, messageOf(pending));
  return showDelivery(stored, await getItem(attemptsKey(pending, delivery)), webhook.generation);
}

async function makePending(pending: Pending, webhook: StoredWebhook, id: number, at: Instant) {
  const stored = StoredDelivery.safeParse(await getItem(deliveryKey(pending, id))).data;
  if (!stored || stored.expires_at < at / 1000) throw missing();
  const isPending = stored.status === 'pending' && stored.generation === webhook.generation;
  if (isPending) throw refuse('webhook.delivery_pending');
  if (!webhook.is_active) throw refuse('webhook.not_active');
  const { type, record_id } = stored;
  const again = { status: 'pending', next_attempt_at: at, tries: 0 } as const;
  const set = { ...again, generation: webhook.generation, expires_at: expiryOf('pending', at) };
  const unchanged = all([equals('status', stored.status), equals('generation', stored.generation)]);
  await transact([
    update(deliveryKey(pending, id), { set }, { if: unchanged }),
    newPointer(pending, { due: at, id, type, record_id }, at),
  ]);
  return { ...stored, ...set };
}
