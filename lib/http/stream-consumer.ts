import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { withDeadline } from '#lib/table/deadline.ts';
import { keyPrefixes, SORT_KEY_PREFIXES } from '#lib/table/feed/feed-types.ts';
import { newMeter, runInContext, unitsOf } from '#lib/table/request-context.ts';
import type { Instant } from '#lib/values/time.ts';
import type { Resource } from './definition/definition.ts';
import { describe, log } from './wire/log.ts';
import type { Time } from './worker.ts';

/** A Lambda function that consumes the table's stream. */
export interface StreamConsumer {
  (event: DynamoDBStreamEvent, context: Time): Promise<void>;
  readonly metadata: {
    readonly uses?: readonly Resource[];
    /** Key prefixes of the items that it consumes; the event filter drops all others. */
    readonly keys: Readonly<Record<'pk' | 'sk', readonly string[]>>;
  };
}

/**
 * Returns the Lambda function of a stream consumer. After a failure Lambda retries the records, halving the
 * batch until the failing one is alone. They can be delivered twice, so `run` must be idempotent. `at` is the
 * machine's time, as the stream uses it; `now` is the service's clock.
 */
export function streamConsumer(definition: {
  readonly uses?: readonly Resource[];
  run(records: readonly DynamoDBRecord[], at: Instant, now: () => Instant): Promise<unknown>;
}): StreamConsumer {
  const handler: (...args: Parameters<StreamConsumer>) => Promise<void> = async ({ Records }, context) => {
    const meter = newMeter();
    const began = Date.now();
    try {
      await runInContext({ meter }, () =>
        withDeadline(context.getRemainingTimeInMillis(), () =>
          definition.run(Records, began, context.now ?? Date.now),
        ),
      );
    } catch (error) {
      log({ level: 'error', message: 'not followed', records: Records.length, ...describe(error) });
      throw error;
    }
    const figures = { records: Records.length, units: unitsOf(meter), milliseconds: Date.now() - began };
    log({ level: 'info', message: 'followed', lag: began - oldestOf(Records), ...figures });
  };
  const keys = { pk: keyPrefixes(), sk: SORT_KEY_PREFIXES };
  return Object.assign(handler, { metadata: { ...definition, keys } });
}

function oldestOf(records: readonly DynamoDBRecord[]): Instant {
  return Math.min(...records.map(({ dynamodb }) => (dynamodb?.ApproximateCreationDateTime ?? 0) * 1000));
}
