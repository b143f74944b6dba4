import { Duration, TimeZone } from 'aws-cdk-lib';
import {
  ContextAttribute,
  Schedule,
  ScheduleExpression,
  ScheduleTargetInput,
} from 'aws-cdk-lib/aws-scheduler';
import { SqsSendMessage } from 'aws-cdk-lib/aws-scheduler-targets';
import { Construct } from 'constructs';
import type { WorkerFunction } from '#infra/worker-functions.ts';
import type { Interval } from '#lib/http/worker.ts';
import type { Resources } from './resources.ts';

/** Adds a schedule for each worker that wants one. It sends the time it was due to the worker's queue. */
export function addSchedules(
  scope: Construct,
  workers: readonly WorkerFunction[],
  { queues, stage }: Resources,
): void {
  const parts = new Construct(scope, 'Schedules');
  for (const { name, every } of workers) {
    const queue = queues.get(name)?.queue;
    if (!queue || !every) continue;
    new Schedule(parts, name, {
      description: `Has the worker ${name} work every ${every}`,
      schedule: timesOf(every, stage.timeZone),
      target: new SqsSendMessage(queue, {
        input: ScheduleTargetInput.fromObject({ at: ContextAttribute.scheduledTime }),
      }),
    });
  }
}

// Five past midnight: a clock that is a little late is in the new day by then.
function timesOf(every: Interval, zone: string): ScheduleExpression {
  if (every === 'minute') return ScheduleExpression.rate(Duration.minutes(1));
  if (every === 'hour') return ScheduleExpression.rate(Duration.hours(1));
  return ScheduleExpression.cron({ minute: '5', hour: '0', timeZone: TimeZone.of(zone) });
}
