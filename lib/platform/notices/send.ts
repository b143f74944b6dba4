import { type Due, readDue } from '#lib/records/due.ts';
import { workOnAll } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { OVERDUE_SHIFT, WAITING_SALE } from './kinds.ts';
import { notifyOfOverdue } from './overdue-shifts.ts';
import { notifyOfRefused } from './refused-sales.ts';

/** Notifications that are sent at once. */
const PARALLEL = 10;

const KINDS = [
  [WAITING_SALE, notifyOfRefused],
  [OVERDUE_SHIFT, notifyOfOverdue],
] as const;

/**
 * Sends all notifications that are due. One that fails does not hinder the others: the errors are thrown at
 * the end, and the next run tries again. Part 5, 5B.11.
 */
export async function sendNotices(at: Instant): Promise<void> {
  await workOnAll(readDueNotices(at), PARALLEL, (send) => send());
}

/** Reads the notifications of all kinds that are due. */
async function* readDueNotices(at: Instant) {
  for (const [kind, notify] of KINDS) {
    for await (const due of readDue(kind, at)) yield due.map((each: Due) => () => notify(each, at));
  }
}
