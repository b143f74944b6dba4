import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { consumeAttempt, type RateLimit } from '#lib/auth/rate-limit.ts';
import { enqueue } from '#lib/queues/queue.ts';
import { put, remove, update, type Write } from '#lib/table/change/write.ts';
import { all, equals } from '#lib/table/expression.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest, notFound } from '#lib/values/api-error.ts';
import { Id } from '#lib/values/fields.ts';
import type { Instant } from '#lib/values/time.ts';
import { requireCreatorGrants } from '#lib/webhooks/authority.ts';
import { disable } from '#lib/webhooks/disable.ts';
import { recordEnqueued, type WebhookRef } from '#lib/webhooks/dispatch-state.ts';
import { messageOf, QUEUE } from '#lib/webhooks/message.ts';
import { find, type StoredWebhook } from '#lib/webhooks/webhook.ts';
import { attemptsKey, deliveryKey, endKey, eventCoalescingKey, pointerKey } from './keys.ts';
import { attemptsWrite, newCoalescedEvent, newEnd, newPointer } from './pending.ts';
import { DELIVERY, type Delivery, expiryOf, type Pending, StoredDelivery, showDelivery } from './record.ts';
import { dueWrite, removeDue } from './schedule.ts';
import { sendOnce, TEST, testData } from './send.ts';

/** Rate limit of manual sends for a family. Part 4, 4.2, 5. */
export const ON_DEMAND_LIMIT: RateLimit = {
  name: 'webhooks',
  max: 10,
  seconds: 60,
  isCountedByOperation: true,
};

/** Path parameters of a delivery. */
export const DeliveryParams = z.object({ model: Id, delivery: Id });

/**
 * Sends a test to a webhook's receiver immediately and returns its delivery. It is not retried and does not
 * count toward the receiver's health, but a 410 or a lost secret disables the webhook.
 */
export async function sendTest(actor: Staff, id: number, at: Instant): Promise<Delivery> {
  const webhook = await find(actor, id);
  await requireCreatorGrants(actor, webhook.creator_id);
  await consumeAttempt(ON_DEMAND_LIMIT, actor.tenant, at);
  const pending = { tenant: actor.tenant, id, generation: webhook.generation };
  const delivery = await nextId(DELIVERY, actor.tenant);
  const data = testData(webhook);
  const outcome = await sendOnce(pending, webhook, { id: delivery, event: TEST, changed_at: at, data }, at);
  const status = outcome.isDelivered ? 'delivered' : 'failed';
  const stored: StoredDelivery = {
    ...{ id: delivery, webhook_id: id, type: TEST, record_id: id, revision: data.revision, status },
    ...{ next_attempt_at: null, created_at: at, changed_at: at, tries: 0, generation: webhook.generation },
    company_id: webhook.company_id,
    expires_at: expiryOf(status, at),
  };
  const attempts = attemptsWrite(pending, delivery, undefined, outcome.attempt);
  const ended = newEnd(pending, delivery, status, at);
  await transact([put(deliveryKey(pending, delivery), stored), attempts, ended]);
  const { isGone, isMute } = outcome;
  const reason = isGone ? 'receiver' : 'failures';
  if (isGone || isMute) await disable(pending, { reason, failingSince: null, isMute }, at);
  return showDelivery(stored, { attempts: [outcome.attempt] }, webhook.generation);
}

/**
 * Sends an ended delivery once more with the same `webhook-id` and the newest revision; its attempts start
 * from zero. After a crash once it is pending, the sweeper sends it. 400 if it is pending, or the webhook is
 * not active.
 */
export async function redeliver(
  actor: Staff,
  { model: id, delivery }: z.output<typeof DeliveryParams>,
  at: Instant,
): Promise<Delivery> {
  const webhook = await find(actor, id);
  await requireCreatorGrants(actor, webhook.creator_id);
  await consumeAttempt(ON_DEMAND_LIMIT, actor.tenant, at);
  const pending = { tenant: actor.tenant, id, generation: webhook.generation };
  const stored = await retryOnContention(() => makePending(pending, webhook, delivery, at));
  await recordEnqueued(pending);
  await enqueue(QUEUE, messageOf(pending));
  await removeDue(pending, at);
  return showDelivery(stored, await getItem(attemptsKey(pending, delivery)), webhook.generation);
}

/**
 * Makes a delivery pending again. It takes its coalesced event if that is free, so that no second delivery is
 * created while this one is pending.
 */
async function makePending(pending: Pending, webhook: StoredWebhook, id: number, at: Instant) {
  const stored = StoredDelivery.safeParse(await getItem(deliveryKey(pending, id))).data;
  if (!stored || stored.expires_at < at / 1000) throw notFound();
  const { status, generation, type, record_id } = stored;
  if (status === 'pending' && generation === webhook.generation) throw badRequest('webhook.delivery_pending');
  if (!webhook.is_active) throw badRequest('webhook.not_active');
  const again = { status: 'pending', next_attempt_at: at, tries: 0 } as const;
  const set = { ...again, generation: webhook.generation, expires_at: expiryOf('pending', at) };
  const unchanged = all([equals('status', status), equals('generation', generation)]);
  const isClaimed = type === TEST || (await getItem(eventCoalescingKey(pending, stored))) !== undefined;
  await transact([
    update(deliveryKey(pending, id), { set }, { if: unchanged }),
    newPointer(pending, { due: at, id, type, record_id }, at),
    dueWrite(pending, at),
    ...leaveList(pending, stored),
    ...(isClaimed ? [] : [newCoalescedEvent(pending, id, stored, at)]),
  ]);
  return { ...stored, ...set };
}

/**
 * Builds the write that removes a delivery from its former list: of an end status, or of a dropped
 * generation.
 */
function leaveList(place: WebhookRef, { id, status, generation, next_attempt_at }: StoredDelivery): Write[] {
  if (status !== 'pending') return [remove(endKey(place, id, status))];
  return [remove(pointerKey({ ...place, generation }, { due: next_attempt_at ?? 0, id }))];
}
