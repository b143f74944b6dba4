import { Duration, TimeZone } from 'aws-cdk-lib';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import {
  ContextAttribute,
  Schedule,
  ScheduleExpression,
  ScheduleTargetInput,
} from 'aws-cdk-lib/aws-scheduler';
import { SqsSendMessage } from 'aws-cdk-lib/aws-scheduler-targets';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { WORK_TIME } from '#infra/resources/queues.ts';
import type { WorkerFunction } from '#infra/worker-functions.ts';
import type { Interval } from '#lib/http/worker.ts';
import { createInChains } from './chains.ts';
import { addFunction } from './function.ts';
import { workerPermissions } from './permissions.ts';
import type { Resources } from './resources.ts';

/** Concurrent batches of a queue. */
const MAX_AT_ONCE = 10;

/**
 * Adds a function for each worker, triggered by the queue of its name, and its schedule, if any, which sends
 * the due time to that queue.
 */
export function addWorkers(scope: Construct, workers: readonly WorkerFunction[], resources: Resources): void {
  const functions = new Construct(scope, 'Workers');
  const schedules = new Construct(scope, 'Schedules');
  const added = workers.map((worker) => {
    const queue = resources.queues.get(worker.name)?.queue;
    if (!queue) throw new Error(`The worker ${worker.name} has no queue`);
    if (worker.every) addSchedule(schedules, queue, worker.every, resources.stage.timeZone);
    return addWorker(functions, worker, queue, resources);
  });
  createInChains(added);
}

function addWorker(scope: Construct, worker: WorkerFunction, queue: Queue, resources: Resources): Alias {
  const { name, file, uses, reserved, batch } = worker;
  const props = {
    description: `Works off the queue ${name}`,
    bundle: file,
    handler: 'handler',
    needs: workerPermissions(worker, queue, resources),
    timeout: WORK_TIME,
    callsItself: uses.includes(`queue:${name}`),
    ...(reserved !== undefined && resources.stage.reserves && { reserved }),
  };
  const added = addFunction(scope, name, props, resources);
  added.addEventSourceMapping('Messages', {
    eventSourceArn: queue.queueArn,
    reportBatchItemFailures: true,
    // Batches of more than ten wait up to a second to fill.
    ...(batch !== undefined && { batchSize: batch, maxBatchingWindow: Duration.seconds(1) }),
    // A long queue leaves concurrency for callers.
    maxConcurrency: MAX_AT_ONCE,
  });
  return added;
}

function addSchedule(scope: Construct, queue: Queue, every: Interval, zone: string): void {
  const name = queue.node.id;
  new Schedule(scope, name, {
    description: `Has the worker ${name} work every ${every}`,
    schedule: timesOf(every, zone),
    target: new SqsSendMessage(queue, {
      input: ScheduleTargetInput.fromObject({ at: ContextAttribute.scheduledTime }),
    }),
  });
}

// Five past midnight: a clock that is slightly behind has reached the new day by then.
function timesOf(every: Interval, zone: string): ScheduleExpression {
  if (every === 'minute') return ScheduleExpression.rate(Duration.minutes(1));
  if (every === 'hour') return ScheduleExpression.rate(Duration.hours(1));
  if (every === 'morning') {
    return ScheduleExpression.cron({ minute: '0', hour: '9', timeZone: TimeZone.of(zone) });
  }
  return ScheduleExpression.cron({ minute: '5', hour: '0', timeZone: TimeZone.of(zone) });
}
