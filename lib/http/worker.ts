import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type * as z from 'zod';
import { withDeadline } from '#lib/table/deadline.ts';
import type { Resource } from './endpoint.ts';
import { describe, log } from './log.ts';

type Time = Pick<Context, 'getRemainingTimeInMillis'>;

/** A Lambda function that a queue triggers. */
export interface Worker {
  (event: SQSEvent, context: Time): Promise<SQSBatchResponse>;
  readonly metadata: { readonly uses?: readonly Resource[] };
}

/**
 * Makes a Lambda function of work that a queue brings. A message that fails comes again, alone, and after
 * five times goes to the dead-letter queue. Messages can be delivered twice, so `run` must be idempotent.
 */
export function worker<M extends z.ZodType>(definition: {
  readonly message: M;
  readonly uses?: readonly Resource[];
  run(message: z.output<M>): Promise<void>;
}): Worker {
  const handler = async ({ Records }: SQSEvent, context: Time): Promise<SQSBatchResponse> => {
    const outcomes = await withDeadline(context.getRemainingTimeInMillis(), () =>
      Promise.allSettled(
        Records.map(async ({ body }) =>
          definition.run(await definition.message.parseAsync(JSON.parse(body))),
        ),
      ),
    );
    const failed = outcomes.flatMap((outcome, index) => {
      const messageId = Records[index]?.messageId;
      if (outcome.status === 'fulfilled' || messageId === undefined) return [];
      log({ level: 'error', message: 'work failed', message_id: messageId, ...describe(outcome.reason) });
      return [{ itemIdentifier: messageId }];
    });
    return { batchItemFailures: failed };
  };
  return Object.assign(handler, { metadata: definition });
}
