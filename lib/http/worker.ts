import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { postpone } from '#lib/queues/postpone.ts';
import { withDeadline } from '#lib/table/deadline.ts';
import { untilSeen } from '#lib/table/read/until-seen.ts';
import { type Meter, newMeter, runInContext } from '#lib/table/request-context.ts';
import type { Instant } from '#lib/values/time.ts';
import type { Resource } from './definition/definition.ts';
import { countFigures, describe, log } from './wire/log.ts';

/** The clock and the remaining time; the local run may set the clock. */
export type Time = Pick<Context, 'getRemainingTimeInMillis'> & { readonly now?: () => Instant };

/**
 * Interval of scheduled messages: each day soon after midnight in `TIME_ZONE`, each morning at nine, each
 * hour, each minute.
 */
export type Interval = 'day' | 'morning' | 'hour' | 'minute';

/** A schedule's message: its due time. EventBridge writes a time as text. */
export const Scheduled = z.object({
  at: z.union([z.number(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]),
});

/** A worker's description, for the deployment. */
interface WorkerMetadata {
  readonly uses?: readonly Resource[];
  /** Set if a schedule sends it messages, of the schema `Scheduled`. */
  readonly every?: Interval;
  /** Reserved concurrency: other functions never wait for it, nor it for them. */
  readonly reserved?: number;
  /** Messages per invocation, ten by default: more for I/O-bound workers. */
  readonly batch?: number;
}

/** A Lambda function triggered by a queue. */
export interface Worker {
  (event: SQSEvent, context: Time): Promise<SQSBatchResponse>;
  readonly metadata: WorkerMetadata;
}

/**
 * Returns the Lambda function of a queue worker. A failed message is retried alone, and after five attempts
 * goes to the dead-letter queue. Messages can be delivered twice, so `run` must be idempotent.
 */
export function worker<M extends z.ZodType>(
  definition: WorkerMetadata & {
    readonly message: M;
    run(message: z.output<M>, now: () => Instant): Promise<unknown>;
  },
): Worker {
  const handler = async ({ Records }: SQSEvent, context: Time): Promise<SQSBatchResponse> => {
    const meter = newMeter();
    const lag = lagOf(Records);
    const outcomes = await runInContext({ meter }, () =>
      withDeadline(context.getRemainingTimeInMillis(), () =>
        Promise.allSettled(
          Records.map(async ({ body }) => {
            const message = await definition.message.parseAsync(JSON.parse(body));
            return untilSeen(() => definition.run(message, context.now ?? Date.now));
          }),
        ),
      ),
    );
    const failed = outcomes.flatMap((outcome, index) => {
      const messageId = Records[index]?.messageId;
      if (outcome.status === 'fulfilled' || messageId === undefined) return [];
      log({ level: 'error', message: 'work failed', message_id: messageId, ...describe(outcome.reason) });
      return [{ itemIdentifier: messageId }];
    });
    if (failed.length > 0) await postponeFailed(Records, failed, context);
    logBatch(Records, lag, meter);
    return { batchItemFailures: failed };
  };
  return Object.assign(handler, { metadata: definition });
}

/** Time reserved for the response, at the end of a worker's time. */
const ANSWER_MS = 200;

async function postponeFailed(
  records: SQSEvent['Records'],
  failed: SQSBatchResponse['batchItemFailures'],
  context: Time,
): Promise<void> {
  const ids = new Set(failed.map(({ itemIdentifier }) => itemIdentifier));
  const messages = records
    .filter(({ messageId }) => ids.has(messageId))
    .map(({ receiptHandle, attributes }) => ({
      receiptHandle,
      tries: Number(attributes.ApproximateReceiveCount),
    }));
  await postpone(workerOf(records), messages, context.getRemainingTimeInMillis() - ANSWER_MS);
}

/** Returns the name of a batch's queue; in the local run, that of its worker. */
function workerOf([first]: SQSEvent['Records']): string {
  return first?.eventSourceARN.split(':').at(-1) ?? '';
}

/** Logs one line for a batch: its lag, and the journals it recovered. */
function logBatch(records: SQSEvent['Records'], lag: number, { recovered, conflicts }: Meter): void {
  const counts = {
    messages: records.length,
    ...(recovered > 0 && { recovered }),
    ...(conflicts > 0 && { conflicts }),
  };
  const worker = workerOf(records);
  const figures = countFigures({ counts, milliseconds: { worker_lag: lag } }, Date.now());
  log({ level: 'info', message: 'worked', worker, ...counts, worker_lag: lag, ...figures });
}

/** Returns the age of the oldest message of a batch, in milliseconds. */
function lagOf(records: SQSEvent['Records']): number {
  const sent = records.map(({ attributes }) => Number(attributes.SentTimestamp));
  return Math.max(0, Date.now() - Math.min(...sent));
}
