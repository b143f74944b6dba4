import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { postpone } from '#lib/queues/postpone.ts';
import { withDeadline } from '#lib/table/deadline.ts';
import { untilSeen } from '#lib/table/read/until-seen.ts';
import { type Meter, newMeter, runInContext } from '#lib/table/request-context.ts';
import type { Instant } from '#lib/values/time.ts';
import type { Resource } from './definition/definition.ts';
import { countFigures, describe, log } from './wire/log.ts';

/** When it is, and for how long: in the local run, by a clock that may be set. */
export type Time = Pick<Context, 'getRemainingTimeInMillis'> & { readonly now?: () => Instant };

/**
 * How often a schedule sends a worker a message: each day soon after midnight in `TIME_ZONE`, each morning at
 * nine, each hour, each minute.
 */
export type Interval = 'day' | 'morning' | 'hour' | 'minute';

/** A schedule's message: when it was due. EventBridge writes a time as text. */
export const Scheduled = z.object({
  at: z.union([z.number(), z.iso.datetime({ offset: true }).transform((text) => Date.parse(text))]),
});

/** What the deployment knows of a worker without running it. */
interface WorkerMetadata {
  readonly uses?: readonly Resource[];
  /** Set if a schedule sends it messages: `Scheduled` ones. */
  readonly every?: Interval;
  /** Set if its executions are set aside for it, so many: others never wait for it, nor it for them. */
  readonly reserved?: number;
  /** How many messages an execution is given at once, ten unless said: more for one that mostly waits. */
  readonly batch?: number;
}

/** A Lambda function that a queue triggers. */
export interface Worker {
  (event: SQSEvent, context: Time): Promise<SQSBatchResponse>;
  readonly metadata: WorkerMetadata;
}

/**
 * Makes a Lambda function of work that a queue brings. A message that fails comes again, alone, and after
 * five times goes to the dead-letter queue. Messages can be delivered twice, so `run` must be idempotent.
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
    if (failed.length > 0) await comeSoon(Records, failed, context);
    tell(Records, lag, meter);
    return { batchItemFailures: failed };
  };
  return Object.assign(handler, { metadata: definition });
}

/** Time for the answer itself, at the end of a worker's time. */
const ANSWER_MS = 200;

/** Has the messages that failed come again soon. */
async function comeSoon(
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

/** Names the queue of a batch: in the local run, as its worker. */
function workerOf([first]: SQSEvent['Records']): string {
  return first?.eventSourceARN.split(':').at(-1) ?? '';
}

/** Writes one line of the log for a batch: how late it was, and what it healed. */
function tell(records: SQSEvent['Records'], lag: number, { recovered, conflicts }: Meter): void {
  const counts = {
    messages: records.length,
    ...(recovered > 0 && { recovered }),
    ...(conflicts > 0 && { conflicts }),
  };
  const worker = workerOf(records);
  const figures = countFigures({ counts, milliseconds: { worker_lag: lag } }, Date.now());
  log({ level: 'info', message: 'worked', worker, ...counts, worker_lag: lag, ...figures });
}

/** Computes how long the oldest message of a batch had waited, in milliseconds. */
function lagOf(records: SQSEvent['Records']): number {
  const sent = records.map(({ attributes }) => Number(attributes.SentTimestamp));
  return Math.max(0, Date.now() - Math.min(...sent));
}
