import * as z from 'zod';
import { logPulse } from '#lib/http/pulse-log.ts';
import { Scheduled, worker } from '#lib/http/worker.ts';
import { invalidateFeed, sendHeartbeat } from '#lib/platform/changes.ts';

/** A notification of S3: what of the stream could not be followed for a day was put aside there. */
const PutAside = z.object({ Records: z.array(z.object({ s3: z.object({}) })) });

/** A notification that S3 sends once, when it is told where to. */
const Tried = z.object({ Event: z.literal('s3:TestEvent') });

/**
 * Sees to it that who has read a feed begins anew if changes were lost: by what Lambda puts aside, and every
 * hour by a pulse through the stream.
 */
export const handler = worker({
  message: z.union([Scheduled, PutAside, Tried]),
  every: 'hour',
  run: async (message) => {
    if ('at' in message) logPulse(await sendHeartbeat(Date.now()));
    if ('Records' in message) await invalidateFeed();
  },
});
