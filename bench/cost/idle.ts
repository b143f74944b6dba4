import * as z from 'zod';
import { type Dollars, NOTHING } from './dollars.ts';
import { PRICES } from './prices.ts';
import type { PaidResource } from './templates.ts';

/** Metrics of an alarm: one metric, or an expression of several. */
const Watched = z.looseObject({
  Metrics: z.array(z.looseObject({ MetricStat: z.unknown().optional() })).optional(),
});

/** Requests per month of a queue's five pollers, three times a minute each. */
const POLLS = 5 * 3 * 60 * 24 * 30;

/** Runs of a schedule in a month, at an interval of a minute; others run at most once an hour. */
const EACH_MINUTE = 60 * 24 * 30;
const EACH_HOUR = 24 * 30;

/** Reader of a stream, which costs nothing while the stream is empty. */
const OfStream = z.looseObject({ StartingPosition: z.string() });

const Scheduled = z.looseObject({ ScheduleExpression: z.string() });

/**
 * Metrics that workers log by themselves: messages, lag, a successful probe, and the latest heartbeat of the
 * stream.
 */
const OWN_METRICS = 4;

/** Prices a month without requests, by the resources of the templates. */
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
