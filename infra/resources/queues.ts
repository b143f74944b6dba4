import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { HIDDEN_S, MAX_TRIES, WORK_S } from '#infra/queue-limits.ts';
import type { WorkerFile } from '#infra/routes.ts';

/** Longest run of a worker on a batch. */
export const WORK_TIME = Duration.seconds(WORK_S);

/** A worker's queue, and the queue of messages that failed five times. */
interface WorkQueue {
  readonly queue: Queue;
  readonly deadLetters: Queue;
}

export type WorkQueues = ReadonlyMap<string, WorkQueue>;

/** Adds a queue for each worker, with its name. */
export function addQueues(scope: Construct, workers: readonly WorkerFile[]): WorkQueues {
  const queues = new Construct(scope, 'Queues');
  return new Map(workers.map(({ name }) => [name, addQueue(queues, name)]));
}

function addQueue(scope: Construct, name: string): WorkQueue {
  const common = {
    encryption: QueueEncryption.SQS_MANAGED,
    enforceSSL: true,
    retentionPeriod: Duration.days(14),
  };
  const deadLetters = new Queue(scope, `${name}-dead-letters`, common);
  const queue = new Queue(scope, name, {
    ...common,
    visibilityTimeout: Duration.seconds(HIDDEN_S),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: MAX_TRIES },
  });
  return { queue, deadLetters };
}
