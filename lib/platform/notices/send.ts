import { type Due, readDue } from '#lib/records/due.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';
import { OVERDUE_SHIFT, WAITING_SALE } from './kinds.ts';
import { notifyOfOverdue } from './overdue-shifts.ts';
import { notifyOfRefused } from './refused-sales.ts';

/** Notifications that are sent at once. */
const PARALLEL = 10;

/**
 * Sends all notifications that are due. One that fails does not hinder the others: the errors are thrown at
 * the end, and the next run tries again. Part 5, 5B.11.
 */
export async function sendNotices(at: Instant): Promise<void> {
  const errors: unknown[] = [];
  for (const [kind, send] of [
    [WAITING_SALE, notifyOfRefused],
    [OVERDUE_SHIFT, notifyOfOverdue],
  ] as const) {
    for await (const due of readDue(kind, at)) {
      await mapConcurrent(due, PARALLEL, (each: Due) =>
        send(each, at).catch((error: unknown) => void errors.push(error)),
      );
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} notices were not sent`);
}
