import * as z from 'zod';
import { type Dollars, NOTHING } from './dollars.ts';
import { PRICES } from './prices.ts';
import type { PaidResource } from './templates.ts';

/** What an alarm looks at: one metric, or an expression of several. */
const Watched = z.looseObject({
  Metrics: z.array(z.looseObject({ MetricStat: z.unknown().optional() })).optional(),
});

/** Five pollers of a queue ask three times a minute. */
const POLLS = 5 * 3 * 60 * 24 * 30;

/** How often a schedule is due in a month: each minute, or no more often than once an hour. */
const EACH_MINUTE = 60 * 24 * 30;
const EACH_HOUR = 24 * 30;

/** What reads a stream, which costs nothing while it is silent. */
const OfStream = z.looseObject({ StartingPosition: z.string() });

const Scheduled = z.looseObject({ ScheduleExpression: z.string() });

/**
 * Metrics that workers write by themselves: how many messages there were, how far they are behind, that the
 * service was reached, and when the stream was last heard of.
 */
const OWN_METRICS = 4;

/** Prices a month in which nobody calls, by what the templates hold. */
export function idleMonth(resources: readonly PaidResource[]): Dollars {
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const queues = ofType('AWS::Lambda::EventSourceMapping').filter(
    ({ Properties }) => !OfStream.safeParse(Properties).success,
  );
  const { month } = PRICES;
  const fixed =
    alarmMetrics(ofType('AWS::CloudWatch::Alarm')) * month.alarm_metric +
    OWN_METRICS * month.metric +
    ofType('AWS::CloudWatch::Dashboard').length * month.dashboard +
    ofType('AWS::SecretsManager::Secret').length * month.secret +
    ofType('AWS::KMS::Key').length * month.key +
    queues.length * POLLS * month.queue_poll +
    runsOf(ofType('AWS::Scheduler::Schedule')) * month.schedule_call;
  return { ...NOTHING, fixed };
}

function runsOf(schedules: readonly PaidResource[]): number {
  const isEachMinute = ({ Properties }: PaidResource) =>
    Scheduled.parse(Properties).ScheduleExpression === 'rate(1 minute)';
  const often = schedules.filter(isEachMinute).length;
  return often * EACH_MINUTE + (schedules.length - often) * EACH_HOUR;
}

function alarmMetrics(alarms: readonly PaidResource[]): number {
  return alarms
    .map(({ Properties }) => Watched.parse(Properties).Metrics?.filter(({ MetricStat }) => MetricStat) ?? [0])
    .reduce((sum, { length }) => sum + length, 0);
}
