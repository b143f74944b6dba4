import * as z from 'zod';
import { logPulse } from '#lib/http/pulse-log.ts';
import { Scheduled, worker } from '#lib/http/worker.ts';
import { invalidateFeed, sendHeartbeat } from '#lib/platform/changes.ts';

/** Notification by S3 of a stream batch that could not be consumed for a day and was stored there. */
const FailedBatch = z.object({ Records: z.array(z.object({ s3: z.object({}) })) });

/** Test notification that S3 sends once when it is configured. */
const TestEvent = z.object({ Event: z.literal('s3:TestEvent') });

/**
 * Invalidates the feeds when Lambda gives up a batch of changes, so that clients start their sync over. An
 * hourly heartbeat through the stream detects a stalled consumer.
 */
export const handler = worker({
  message: z.union([Scheduled, FailedBatch, TestEvent]),
  every: 'hour',
  run: async (message) => {
    if ('at' in message) logPulse(await sendHeartbeat(Date.now()));
    if ('Records' in message) await invalidateFeed();
  },
});
