import { Scheduled, worker } from '#lib/http/worker.ts';
import { sendNotices } from '#lib/platform/notices/send.ts';

/** Notifies of refused sales and overdue shifts. */
export const handler = worker({
  message: Scheduled,
  every: 'minute',
  run: ({ at }) => sendNotices(at),
});
