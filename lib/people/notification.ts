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
import { isLabelKey, type Label, type LabelKey, translateLabel } from '#lib/values/labels/label.ts';
import type { Locale } from '#lib/values/text.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';

export const NotificationType = enumeration('notification.type', ['announcement', 'message']);

/** Event that a notification is about. Part 5, 5B.11. */
const NotificationKind = enumeration('notification.kind', [
  'refused_sale',
  'shift_overdue',
  'below_minimum',
  'repricing',
]);

type NotificationKind = z.output<typeof NotificationKind>;

/** Record that a notification is about: a refused sale, a shift, a repricing; null for any other. */
const RecordId = z.int().nullable().default(null);

/** A notification of a user. Part 1, "Notification". */
export const Notification = z.object({
  id: z.int(),
  type: NotificationType,
  params: z.object({
    text: z.string(),
    kind: NotificationKind.nullable(),
    record_id: z.int().nullable(),
  }),
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
  broadcast: z.object({
    text: z.string(),
    kind: NotificationKind.nullable().default(null),
    record_id: RecordId,
    /** Text of the service's own, in the language of each reader. */
    label: z
      .object({
        key: z.custom<LabelKey>(isLabelKey),
        with: z.exactOptional(z.record(z.string(), z.union([z.string(), z.number()]))),
      })
      .optional(),
  }),
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
  notice: {
    readonly id: number;
    readonly label: Label;
    readonly created_at: Instant;
    readonly kind?: NotificationKind;
    readonly record_id?: number | null;
  },
  userIds: readonly number[],
): Write[] {
  const broadcast = { ...notice, type: 'announcement', text: translateLabel('ru', notice.label) };
  return [putNew(broadcastKey(notice.id), broadcast), ...userIds.map((id) => delivery(broadcast, id))];
}

/** Lists the caller's own notifications. */
export async function list({ id }: Actor, query: ListQuery, locale: Locale) {
  const page = await listItems({ type: NOTIFICATION, tenant: userTenant(id) }, query);
  return { ...page, rows: (await embed(page.rows, [broadcastEmbed])).map((item) => show(item, locale)) };
}

/** Reads one of them and marks it as seen. 404 for another user's. */
export async function markSeen(actor: Actor, id: number, locale: Locale) {
  const key = recordKey(NOTIFICATION, userTenant(actor.id), id);
  const item = await getItem(key);
  if (!item) throw notFound();
  const [[whole = {}]] = await Promise.all([
    embed([item], [broadcastEmbed]),
    item['is_seen'] === false && transact([seeing(key)]),
  ]);
  // Its version is constant: only reading changes it.
  return { ...show(whole, locale), is_seen: true, version: 1 };
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

/** Newest notifications that are counted. Part 5, 5B.11. */
const MAX_COUNTED = 200;

/** Counts the notifications that a user has not seen, among the newest 200. One round trip. */
export async function countUnread(userId: number): Promise<number> {
  const reading = { where: [], only: ['is_seen'], max: MAX_COUNTED };
  const { items } = await readQueryPage(partition(NOTIFICATION, userTenant(userId)), ALL_IDS, reading, true);
  return items.filter((item) => item['is_seen'] === false).length;
}

function show(item: Item, locale: Locale) {
  const { broadcast, ...rest } = StoredNotification.parse(item);
  const { label, kind, record_id } = broadcast;
  const text = label ? translateLabel(locale, label) : broadcast.text;
  return { ...rest, params: { text, kind, record_id }, text };
}
