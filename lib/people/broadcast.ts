import * as z from 'zod';
import { accountsInReach } from '#lib/auth/account-manager.ts';
import type { Administrator } from '#lib/auth/actor.ts';
import { ARE_PEOPLE, UserSelection } from '#lib/people/user/administrator.ts';
import { users } from '#lib/people/user/user.ts';
import { enqueue } from '#lib/queues/queue.ts';
import { MAX_ACTIONS } from '#lib/table/change/send.ts';
import { putNew, update } from '#lib/table/change/write.ts';
import { type Expression, equals } from '#lib/table/expression.ts';
import { type Key, PLATFORM, partition, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { ALL_IDS, readQueryPage } from '#lib/table/read/ranges.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { text, visible } from '#lib/values/fields.ts';
import { fromQueryString } from '#lib/values/from-text.ts';
import type { Instant } from '#lib/values/time.ts';
import { broadcastKey, delivery, NOTIFICATION, NotificationType } from './notification.ts';

/** Input to notify many users. Part 1, "Notifications". */
export const BroadcastInput = z.object({
  /** The user list's `filter[…]` and `show[]` as a query string; empty or null means all users. */
  user_query: visible(z.string().max(1000))
    .nullable()
    .superRefine((query, context) => {
      const issue = selectionOf(query).error?.issues[0];
      if (!issue) return;
      const path = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0]] : issue.path;
      context.addIssue({
        code: 'custom',
        message: 'broadcast.wrong_filter',
        params: { name: path.join('.') },
      });
    }),
  type: NotificationType,
  text: text(10_000),
});

type BroadcastInput = z.output<typeof BroadcastInput>;

/** Message in the worker's queue. */
export const BroadcastMessage = z.object({ id: z.int() });

/** A broadcast as stored: a worker that continues it reads the recipients again. */
const Broadcast = z.object({
  id: z.int(),
  type: NotificationType,
  user_query: z.string().nullable(),
  /** Reach of the administrator at the time of the request. */
  companies: z.union([z.literal('all'), z.array(z.int())]),
  created_at: z.number(),
});

type Broadcast = z.output<typeof Broadcast>;

/** Progress of a broadcast: the first user id not yet processed, null at the end. */
const Progress = z.object({ next: z.int().nullable() });

// The progress is in the same transaction.
const RECIPIENTS = MAX_ACTIONS - 1;

const QUEUE = 'broadcast';

/** Saves a broadcast and enqueues it for the worker. Part 1, "Events", 1. */
export async function create(actor: Administrator, input: BroadcastInput, at: Instant): Promise<void> {
  await enqueue(QUEUE, await saveBroadcast(actor, input, at));
}

/** Saves an undelivered broadcast and returns the worker's message. */
export async function saveBroadcast(
  actor: Administrator,
  input: BroadcastInput,
  at: Instant,
): Promise<z.output<typeof BroadcastMessage>> {
  const id = await nextId(NOTIFICATION, PLATFORM);
  const { companies, id: creator_id } = actor;
  await transact([
    putNew(broadcastKey(id), { id, ...input, companies, creator_id, created_at: at }),
    putNew(progressKey(id), { next: 0 }),
  ]);
  return { id };
}

/**
 * Creates the notification of each recipient in the order of user ids, from the saved progress. Returns
 * whether recipients are left when the time is up; another message continues. Each step of the progress is
 * one transaction with its notifications, so each recipient gets exactly one, however often and wherever it
 * is interrupted, even with two workers.
 */
export async function deliver(id: number, isTimeUp: () => boolean): Promise<boolean> {
  const broadcast = Broadcast.parse(await getItem(broadcastKey(id)));
  const selected = UserSelection.parse(queryOf(broadcast.user_query));
  const where = [ARE_PEOPLE, ...selected, ...accountsInReach(broadcast)];
  while (await retryOnContention(() => deliverPart(broadcast, where))) {
    if (isTimeUp()) return true;
  }
  return false;
}

/** Delivers until the time is up, and enqueues the rest. */
export async function deliverInSteps(id: number, isTimeUp: () => boolean): Promise<void> {
  if (await deliver(id, isTimeUp)) await enqueue(QUEUE, { id });
}

/** Creates the notifications of the recipients found in one query; returns whether there may be more. */
async function deliverPart(broadcast: Broadcast, where: readonly Expression[]): Promise<boolean> {
  let { next } = Progress.parse(await getItem(progressKey(broadcast.id)));
  if (next === null) return false;
  const range = { from: next, to: ALL_IDS.to };
  const { items, left } = await readQueryPage(partition(users.type, PLATFORM), range, { where });
  const recipients = items.map((item) => Number(item['id']));
  while (next !== null && next !== left?.from) {
    const batch = recipients.splice(0, RECIPIENTS);
    const after: number | null = recipients[0] ?? left?.from ?? null;
    await transact([
      ...batch.map((userId) => delivery(broadcast, userId)),
      update(progressKey(broadcast.id), { set: { next: after } }, { if: equals('next', next) }),
    ]);
    next = after;
  }
  return next !== null;
}

function progressKey(id: number): Key {
  return recordKey('broadcast-progress', PLATFORM, id);
}

function selectionOf(query: string | null) {
  return UserSelection.safeParse(queryOf(query));
}

function queryOf(query: string | null): unknown {
  return fromQueryString(UserSelection, query?.trim() ?? '');
}
