import * as z from 'zod';
import type { Actor } from '#lib/auth/actor.ts';
import { type Embed, embed, reference } from '#lib/records/query/embeds.ts';
import { exact, exactOrList } from '#lib/records/query/filters.ts';
import { type ListQuery, plainQuery } from '#lib/records/query/list-query.ts';
import { MAX_ACTIONS } from '#lib/table/change/send.ts';
import { putNew, update, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { equals, present } from '#lib/table/expression.ts';
import { type Key, PLATFORM, partition, recordKey, userTenant } from '#lib/table/keys.ts';
import { listItems } from '#lib/table/list/list.ts';
import { getItem } from '#lib/table/read/get.ts';
import { ALL_IDS, type Range, readQueryPage } from '#lib/table/read/ranges.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { notFound } from '#lib/values/api-error.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id } from '#lib/values/fields.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';

export const NotificationType = enumeration('notification.type', ['announcement', 'message']);

/** A notification of a user. Part 1, "Notification". */
export const Notification = z.object({
  id: z.int(),
  type: NotificationType,
  params: z.object({ text: z.string() }),
  is_seen: z.boolean(),
  created_at: Timestamp,
  text: z.string(),
});

/** Query string of the list. */
export const NotificationList = plainQuery(
  {
    id: exactOrList('id', Id),
    type: exactOrList('type', NotificationType),
    is_seen: exact('is_seen', z.boolean()),
  },
  { sorts: ['id'], pageSize: 10 },
);

/** Prefix of the keys, and name of the platform's id counter. */
export const NOTIFICATION = 'notification';

/** Returns the key of the broadcast behind the notifications of this id, which stores their text once. */
export function broadcastKey(id: number): Key {
  return recordKey('broadcast', PLATFORM, id);
}

const broadcastEmbed: Embed = reference('broadcast', ({ id }) => broadcastKey(Number(id)));

/** A notification as read, with its broadcast. */
const StoredNotification = z.object({
  id: z.int(),
  type: NotificationType,
  is_seen: z.boolean(),
  created_at: z.number(),
  broadcast: z.object({ text: z.string() }),
});

/**
 * Builds the write of a user's unseen notification of a broadcast. It has the broadcast's id in the user's
 * own partition, so at most one exists, and other users can't address it.
 */
export function delivery(
  broadcast: { readonly id: number; readonly type: string; readonly created_at: Instant },
  userId: number,
): Write {
  const { id, type, created_at } = broadcast;
  return putNew(recordKey(NOTIFICATION, userTenant(userId), id), { id, type, created_at, is_seen: false });
}

/** Builds the writes of a notification by the service itself to some users. */
export function announcement(
  notice: { readonly id: number; readonly text: string; readonly created_at: Instant },
  userIds: readonly number[],
): Write[] {
  const broadcast = { ...notice, type: 'announcement' };
  return [putNew(broadcastKey(notice.id), broadcast), ...userIds.map((id) => delivery(broadcast, id))];
}

/** Lists the caller's own notifications. */
export async function list({ id }: Actor, query: ListQuery) {
  const page = await listItems({ type: NOTIFICATION, tenant: userTenant(id) }, query);
  return { ...page, rows: (await embed(page.rows, [broadcastEmbed])).map(show) };
}

/** Reads one of them and marks it as seen. 404 for another user's. */
export async function markSeen(actor: Actor, id: number) {
  const key = recordKey(NOTIFICATION, userTenant(actor.id), id);
  const item = await getItem(key);
  if (!item) throw notFound();
  const [[whole = {}]] = await Promise.all([
    embed([item], [broadcastEmbed]),
    item['is_seen'] === false && transact([seeing(key)]),
  ]);
  // Its version is constant: only reading changes it.
  return { ...show(whole), is_seen: true, version: 1 };
}

/**
 * Marks all notifications of the caller as seen, a hundred at a time. If interrupted, the next call
 * continues.
 */
export async function markAllSeen({ id }: Actor): Promise<void> {
  const tenant = userTenant(id);
  const unseen = [equals('is_seen', false)];
  for (let left: Range | undefined = ALL_IDS; left; ) {
    const answer = await readQueryPage(partition(NOTIFICATION, tenant), left, { where: unseen });
    const writes = answer.items.map((item) => seeing(recordKey(NOTIFICATION, tenant, Number(item['id']))));
    for (const piece of splitEvery(writes, MAX_ACTIONS)) await transact(piece);
    left = answer.left;
  }
}

function seeing(key: Key): Write {
  return update(key, { set: { is_seen: true } }, { if: present('pk') });
}

function show(item: Item) {
  const { broadcast, ...rest } = StoredNotification.parse(item);
  return { ...rest, params: { text: broadcast.text }, text: broadcast.text };
}
