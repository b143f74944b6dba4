import { Duration } from 'aws-cdk-lib';
import { type AlarmProps, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Resources } from '#infra/functions/resources.ts';
import { type Apis, THROTTLED } from '#infra/http/apis.ts';
import {
  apiMetrics,
  figureMetric,
  lambdaMetric,
  streamMetric,
  sumMetrics,
  tableThrottles,
} from './metrics.ts';

/** A function times out at 29 seconds; an export of a large list legitimately comes close. */
const NEARLY_CUT_OFF_MS = 25_000;

/** The oldest message of a queue is usually some seconds old. At this age a worker is stuck. */
const STUCK_S = 900;

/** Changes are published within seconds. This lag needs attention, the longer one needs it immediately. */
const BEHIND_MS = 5 * 60 * 1000;
const STANDING_MS = 12 * 60 * 60 * 1000;

/** A heartbeat passes through the stream every hour: one may be late, and a stalled stream delivers none. */
const HOUR_MS = 60 * 60 * 1000;
const UNHEARD_MS = 2.5 * HOUR_MS;
const LONG_UNHEARD_MS = 10 * HOUR_MS;

/** Scanners that find the APIs' own addresses make some such requests in five minutes. */
const MAX_STRAYS = 100;

/** Imports run ten functions at once, and others are throttled for a moment: they are retried. */
const FEW_THROTTLES = 10;

/** An alarm: a description, and the runbook that begins with its name. */
export interface AlarmDefinition
  extends Pick<AlarmProps, 'metric' | 'threshold'>,
    Partial<
      Pick<AlarmProps, 'evaluationPeriods' | 'datapointsToAlarm' | 'comparisonOperator' | 'treatMissingData'>
    > {
  readonly id: string;
  readonly what: string;
  readonly runbook: string;
}

/** One bad period of three is no pattern. */
const TWICE_OF_THREE = { evaluationPeriods: 3, datapointsToAlarm: 2 };

/** Returns the alarms of each worker: failed messages and backlog. */
export function queueAlarms({ queues }: Resources): AlarmDefinition[] {
  const period = { period: Duration.minutes(5), statistic: 'Maximum' };
  return [...queues].flatMap(([name, { queue, deadLetters }]) => [
    {
      id: `${name}-dead-letters`,
      what: `The worker ${name} failed at messages five times`,
      runbook: 'Dead letters',
      metric: deadLetters.metricApproximateNumberOfMessagesVisible(period),
      threshold: 0,
    },
    {
      id: `${name}-stuck`,
      what: `Messages wait for the worker ${name}`,
      runbook: 'Stuck queue',
      metric: queue.metricApproximateAgeOfOldestMessage(period),
      threshold: STUCK_S,
    },
  ]);
}

/** Returns the alarms of the table's stream, which retains a day. */
export function streamAlarms(following: Alias): AlarmDefinition[] {
  const age = streamMetric(following, 'IteratorAge');
  return [
    {
      id: 'StreamBehind',
      what: 'Copies and webhooks are told of changes five minutes late',
      runbook: 'Stream behind',
      metric: age,
      threshold: BEHIND_MS,
    },
    {
      id: 'StreamStands',
      what: 'Changes have not been told for twelve hours, and are lost after twenty-three',
      runbook: 'Stream behind',
      metric: age,
      threshold: STANDING_MS,
    },
    {
      id: 'StreamLost',
      what: 'Changes that could not be told could not be put aside either',
      runbook: 'Stream behind',
      metric: streamMetric(following, 'DestinationDeliveryFailures'),
      threshold: 0,
    },
  ];
}

/**
 * Returns the alarms of heartbeats through the stream. A stream without a consumer reports no age: Lambda
 * measures it when a batch completes.
 */
export function pulseAlarms(stage: string): AlarmDefinition[] {
  const metric = figureMetric(stage, 'feed_lag', 'Maximum').with({ period: Duration.hours(1) });
  return [
    {
      id: 'StreamUnheard',
      what: 'No pulse has come through the stream for two hours: nobody follows it',
      runbook: 'Stream behind',
      metric,
      threshold: UNHEARD_MS,
    },
    {
      id: 'StreamLongUnheard',
      what: 'No pulse has come through the stream for half a day, or none is sent: changes will be lost',
      runbook: 'Stream behind',
      metric,
      threshold: LONG_UNHEARD_MS,
      // The sender itself may be broken.
      treatMissingData: TreatMissingData.BREACHING,
      evaluationPeriods: 3,
      datapointsToAlarm: 3,
    },
  ];
}

/** Returns the alarms of the APIs' responses. */
export function apiAlarms(apis: Apis): AlarmDefinition[] {
  const areas = [...apis].map(([area, api]) => ({ area, ...apiMetrics(area, api) }));
  const ofAreas = areas.flatMap(({ area, failing, slowest }) => [
    {
      id: `ServerErrors-${area}`,
      what: `More than 1 % of the calls of ${area} fail`,
      runbook: 'Server errors',
      metric: failing,
      threshold: 1,
    },
    {
      id: `Slow-${area}`,
      what: `Calls of ${area} are nearly cut off`,
      runbook: 'Slow calls',
      metric: slowest,
      threshold: NEARLY_CUT_OFF_MS,
      ...TWICE_OF_THREE,
    },
  ]);
  const night = {
    id: 'NightErrors',
    what: 'Calls fail again and again, if few',
    runbook: 'Server errors',
    metric: sumMetrics(
      'area',
      'Failed calls',
      areas.map(({ failed }) => failed),
    ),
    threshold: 0,
    // A rate means nothing at night, and one failure is no pattern: two in an hour are.
    evaluationPeriods: 12,
    datapointsToAlarm: 2,
  };
  return [...ofAreas, night];
}

/** Returns the alarms of metrics in the service's log. */
export function figureAlarms(stage: string): AlarmDefinition[] {
  return [
    {
      id: 'PaymentsNotCredited',
      what: 'The gateway tells of money that is credited to nobody',
      runbook: 'Payments not credited',
      metric: figureMetric(stage, 'payments_not_credited'),
      threshold: 0,
    },
    {
      id: 'NotReached',
      what: 'For ten minutes nobody reached the service at its address',
      runbook: 'Not reached',
      metric: figureMetric(stage, 'reached'),
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      // The reporter itself may be broken.
      treatMissingData: TreatMissingData.BREACHING,
      // The first probe of a new stage comes some minutes after its alarm.
      evaluationPeriods: 2,
      datapointsToAlarm: 2,
    },
    {
      id: 'PastTheEdge',
      what: 'Functions refuse calls that did not come through CloudFront',
      runbook: 'Refused at the door',
      metric: figureMetric(stage, 'past_the_edge'),
      threshold: MAX_STRAYS,
      ...TWICE_OF_THREE,
    },
  ];
}

/** Returns the alarms of AWS throttling. */
export function throttleAlarms({ table, stage }: Resources): AlarmDefinition[] {
  return [
    {
      id: 'GatewayThrottles',
      what: 'The gateway refuses calls by itself: there are more than the account may have',
      runbook: 'Throttled calls',
      metric: figureMetric(stage.name, THROTTLED),
      threshold: 0,
      // Some requests pass again within the second.
      ...TWICE_OF_THREE,
    },
    {
      id: 'FunctionThrottles',
      what: 'The concurrency of the account is used up',
      runbook: 'Throttled functions',
      metric: lambdaMetric('Throttles'),
      threshold: FEW_THROTTLES,
      ...TWICE_OF_THREE,
    },
    {
      id: 'TableThrottles',
      what: 'The table refuses calls again and again',
      runbook: 'Throttled table',
      metric: tableThrottles(table.tableName),
      threshold: 0,
      // A partition that was just split throttles some requests, which succeed when retried.
      ...TWICE_OF_THREE,
    },
  ];
}
