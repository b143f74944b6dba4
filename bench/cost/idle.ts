import * as z from 'zod';
import { type Dollars, NOTHING } from './dollars.ts';
import { PRICES } from './prices.ts';
import type { Paid } from './templates.ts';

/** What an alarm looks at: one metric, or an expression of several. */
const Watched = z.looseObject({
  Metrics: z.array(z.looseObject({ MetricStat: z.unknown().optional() })).optional(),
});

/** Five pollers of a queue ask three times a minute. */
const POLLS = 5 * 3 * 60 * 24 * 30;

/** No schedule is due more often than once an hour. */
const RUNS = 24 * 30;

/** Metrics that workers write by themselves: how many messages there were, and how far they are behind. */
const OWN_METRICS = 2;

/** Prices a month in which nobody calls, by what the templates hold. */
export function idleMonth(resources: readonly Paid[]): Dollars {
  const ofType = (type: string) => resources.filter(({ Type }) => Type === type);
  const { month } = PRICES;
  const fixed =
    alarmMetrics(ofType('AWS::CloudWatch::Alarm')) * month.alarm_metric +
    OWN_METRICS * month.metric +
    ofType('AWS::CloudWatch::Dashboard').length * month.dashboard +
    ofType('AWS::SecretsManager::Secret').length * month.secret +
    ofType('AWS::KMS::Key').length * month.key +
    ofType('AWS::Lambda::EventSourceMapping').length * POLLS * month.queue_poll +
    ofType('AWS::Scheduler::Schedule').length * RUNS * month.schedule_call;
  return { ...NOTHING, fixed };
}

function alarmMetrics(alarms: readonly Paid[]): number {
  return alarms
    .map(({ Properties }) => Watched.parse(Properties).Metrics?.filter(({ MetricStat }) => MetricStat) ?? [0])
    .reduce((sum, { length }) => sum + length, 0);
}
