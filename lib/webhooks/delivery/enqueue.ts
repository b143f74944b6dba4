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

/** Tells webhooks what records of the table's stream tell. */
export function enqueueFromStream(records: readonly DynamoDBRecord[], at: Instant): Promise<void> {
  return enqueueDeliveries(records.flatMap(changesIn), at);
}

/**
 * Makes deliveries of what webhooks ask for among changes of the table. A change may come twice, late or in
 * another order; if it dies anywhere it is to be called again with the same. A family without an active
 * webhook costs one read of one unit, as long as webhooks are asked each time: a memory of "none" that is
 * older than the change would pass over the first event of a webhook that was added in between.
 */
export async function enqueueDeliveries(changes: readonly TableChange[], at: Instant): Promise<void> {
  const families = [...Map.groupBy(changes, ({ tenant }) => tenant)];
  await mapConcurrent(families, FAMILIES, ([tenant, its]) => tellFamily(tenant, its, at));
}

async function tellFamily(tenant: Tenant, changes: readonly TableChange[], at: Instant): Promise<void> {
  const listening = await readActiveWebhooks(tenant);
  if (listening.length === 0) return;
  const all = [...changes, ...(await changesOfRates(tenant, changes))];
  for (const webhook of listening) {
    const news = newsFor(webhook, all);
    if (news.length > 0) await tell({ tenant, id: webhook.id, generation: webhook.generation }, news, at);
  }
}

/** Lists what a webhook asks for, each event of a record once. */
function newsFor({ types }: ActiveWebhooks, changes: readonly TableChange[]): EventChange[] {
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

/** Makes the deliveries first and wakes their sender then: whoever dies in between is called again. */
async function tell(pending: Pending, news: readonly EventChange[], at: Instant): Promise<void> {
  const claims = await getItems(news.map((each) => eventCoalescingKey(pending, each)));
  const fresh = claims.filter((claim) => claim === undefined).length;
  let id = await nextId(DELIVERY, pending.tenant, fresh);
  const given = news.map((each, index) => {
    const claim = CoalescedEvent.safeParse(claims[index]).data;
    return { each, claim, own: claim ? undefined : id++ };
  });
  await mapConcurrent(given, AT_ONCE, ({ each, claim, own }) => claimOne(pending, each, { claim, own, at }));
  await recordEnqueued(pending);
  await enqueue(QUEUE, messageOf(pending));
}

interface Given {
  readonly claim: CoalescedEvent | undefined;
  readonly own: number | undefined;
  readonly at: Instant;
}

/** Tells the delivery that has the claim, or makes one with it. */
async function claimOne(pending: Pending, news: EventChange, { claim, own, at }: Given): Promise<void> {
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
      // Another has claimed it meanwhile, or this very try did and its answer was lost.
      if (!(error instanceof Contention)) throw error;
    }
  }
}
