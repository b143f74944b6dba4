import type { DynamoDBRecord } from 'aws-lambda';
import { enqueue } from '#lib/queues/queue.ts';
import { updateOne } from '#lib/table/change/send.ts';
import { equals } from '#lib/table/expression.ts';
import { changesIn, type TableChange } from '#lib/table/feed/change.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { Contention, transact } from '#lib/table/transaction/transact.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { type ActiveWebhooks, readActiveWebhooks } from '#lib/webhooks/active-webhooks.ts';
import { recordEnqueued } from '#lib/webhooks/dispatch-state.ts';
import { eventFor, isSubscribed } from '#lib/webhooks/event.ts';
import { messageOf, QUEUE } from '#lib/webhooks/message.ts';
import { eventCoalescingKey } from './keys.ts';
import { type EventChange, newCoalescedEvent, newDeliveryWrites } from './pending.ts';
import { changesOfRates } from './rates.ts';
import { CoalescedEvent, DELIVERY, type Pending } from './record.ts';

const FAMILIES = 10;
const AT_ONCE = 10;

/** Enqueues webhook deliveries for records of the table's stream. */
export function enqueueFromStream(records: readonly DynamoDBRecord[], at: Instant): Promise<void> {
  return enqueueDeliveries(records.flatMap(changesIn), at);
}

/**
 * Creates deliveries for the subscribed events among table changes. Changes may arrive twice, late or out of
 * order; after a crash the caller repeats the call with the same changes. A family without an active webhook
 * costs one read of one unit. Webhooks are read each time: a cached "none" older than the change would miss
 * the first event of a webhook added in between.
 */
export async function enqueueDeliveries(changes: readonly TableChange[], at: Instant): Promise<void> {
  const families = [...Map.groupBy(changes, ({ tenant }) => tenant)];
  await mapConcurrent(families, FAMILIES, ([tenant, its]) => enqueueForFamily(tenant, its, at));
}

async function enqueueForFamily(tenant: Tenant, changes: readonly TableChange[], at: Instant): Promise<void> {
  const active = await readActiveWebhooks(tenant);
  if (active.length === 0) return;
  const all = [...changes, ...(await changesOfRates(tenant, changes))];
  for (const webhook of active) {
    const news = changesFor(webhook, all);
    if (news.length > 0)
      await enqueueChanges({ tenant, id: webhook.id, generation: webhook.generation }, news, at);
  }
}

/** Returns the changes a webhook is subscribed to, each event of a record once. */
function changesFor({ types }: ActiveWebhooks, changes: readonly TableChange[]): EventChange[] {
  const byName = new Map<string, EventChange>();
  for (const change of changes) {
    const type = eventFor(change);
    if (type === undefined || !isSubscribed(types, type)) continue;
    byName.set(`${type}#${change.id}`, {
      ...{ type, record_id: change.id, changed_at: change.at },
      company_id: change.companyId ?? null,
    });
  }
  return [...byName.values()];
}

/**
 * Creates the deliveries, then wakes the dispatcher: after a crash in between, the caller repeats the call.
 */
async function enqueueChanges(pending: Pending, news: readonly EventChange[], at: Instant): Promise<void> {
  const claims = await getItems(news.map((each) => eventCoalescingKey(pending, each)));
  const fresh = claims.filter((claim) => claim === undefined).length;
  let id = await nextId(DELIVERY, pending.tenant, fresh);
  const assigned = news.map((each, index) => {
    const claim = CoalescedEvent.safeParse(claims[index]).data;
    return { each, claim, own: claim ? undefined : id++ };
  });
  await mapConcurrent(assigned, AT_ONCE, ({ each, claim, own }) =>
    coalesceOrCreate(pending, each, { claim, own, at }),
  );
  await recordEnqueued(pending);
  await enqueue(QUEUE, messageOf(pending));
}

interface Coalescing {
  readonly claim: CoalescedEvent | undefined;
  readonly own: number | undefined;
  readonly at: Instant;
}

/** Coalesces an event into its pending delivery, or creates a delivery with a coalesced event. */
async function coalesceOrCreate(
  pending: Pending,
  news: EventChange,
  { claim, own, at }: Coalescing,
): Promise<void> {
  let free = own;
  for (
    let known = claim;
    ;
    known = CoalescedEvent.safeParse(await getItem(eventCoalescingKey(pending, news))).data
  ) {
    if (known) {
      const changes = { add: { told: 1 }, set: { changed_at: news.changed_at } };
      if (await updateOne(eventCoalescingKey(pending, news), changes, equals('id', known.id))) return;
    }
    const id = free ?? (await nextId(DELIVERY, pending.tenant));
    free = undefined;
    try {
      return await transact([
        newCoalescedEvent(pending, id, news, at),
        ...newDeliveryWrites(pending, id, news, at),
      ]);
    } catch (error) {
      // Another worker has created it in the meantime, or this attempt did and its response was lost.
      if (!(error instanceof Contention)) throw error;
    }
  }
}
