import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  type AlarmProps,
  ComparisonOperator,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Resources } from '#infra/functions/resources.ts';
import type { Apis } from '#infra/http/apis.ts';
import { addBudget } from './budget.ts';
import { apiMetrics, figureMetric, lambdaMetric } from './metrics.ts';
import { addTopic } from './topic.ts';

/** A function is cut off at 29 seconds; an export of a large list comes near by right. */
const NEARLY_CUT_OFF_MS = 25_000;

/** The oldest message of a queue is some seconds old. After so long a worker is stuck. */
const STUCK_S = 900;

/** Scanners that find the APIs' own addresses make some such calls in five minutes. */
const MOST_STRAYS = 100;

/** The page of runbooks. */
const RUNBOOKS = 'docs/operate.md';

/**
 * Adds alarms that a person can act on. They tell a topic, which people subscribe to; each names the runbook
 * that begins with its name.
 */
export function addAlarms(scope: Construct, apis: Apis, { table, queues, stage }: Resources): void {
  const parts = new Construct(scope, 'Alarms');
  const topic = addTopic(parts, stage);
  addBudget(parts, stage);
  const alarm = (id: string, what: string, runbook: string, props: Pick<AlarmProps, 'metric'> & Rule) => {
    const added = new Alarm(parts, id, {
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...props,
      alarmDescription: `${what}. Runbook: ${RUNBOOKS}, "${runbook}"`,
    });
    added.addAlarmAction(new SnsAction(topic));
    added.addOkAction(new SnsAction(topic));
  };

  for (const [name, { queue, deadLetters }] of queues) {
    const period = { period: Duration.minutes(5), statistic: 'Maximum' };
    alarm(`${name}-dead-letters`, `The worker ${name} failed at messages five times`, 'Dead letters', {
      metric: deadLetters.metricApproximateNumberOfMessagesVisible(period),
      threshold: 0,
    });
    alarm(`${name}-stuck`, `Messages wait for the worker ${name}`, 'Stuck queue', {
      metric: queue.metricApproximateAgeOfOldestMessage(period),
      threshold: STUCK_S,
    });
  }
  const areas = [...apis].map(([area, api]) => ({ area, ...apiMetrics(area, api) }));
  for (const { area, failing, slowest } of areas) {
    alarm(`ServerErrors-${area}`, `More than 1 % of the calls of ${area} fail`, 'Server errors', {
      metric: failing,
      threshold: 1,
    });
    alarm(`Slow-${area}`, `Calls of ${area} are nearly cut off`, 'Slow calls', {
      metric: slowest,
      threshold: NEARLY_CUT_OFF_MS,
      evaluationPeriods: 3,
      datapointsToAlarm: 2,
    });
  }
  alarm('NightErrors', 'Calls fail again and again, if few', 'Server errors', {
    metric: allFailed(areas),
    threshold: 0,
    // A rate means nothing at night, and one failure is no pattern: two in an hour are.
    evaluationPeriods: 12,
    datapointsToAlarm: 2,
  });
  alarm(
    'PaymentsNotCredited',
    'The gateway tells of money that is credited to nobody',
    'Payments not credited',
    {
      metric: figureMetric(stage.name, 'payments_not_credited'),
      threshold: 0,
    },
  );
  alarm('NotReached', 'For ten minutes nobody reached the service at its address', 'Not reached', {
    metric: figureMetric(stage.name, 'reached'),
    threshold: 1,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    // What tells of it may be what is broken.
    treatMissingData: TreatMissingData.BREACHING,
    // The first knock of a new stage comes some minutes after its alarm.
    evaluationPeriods: 2,
    datapointsToAlarm: 2,
  });
  alarm('PastTheEdge', 'Functions refuse calls that did not come through CloudFront', 'Refused at the door', {
    metric: figureMetric(stage.name, 'past_the_edge'),
    threshold: MOST_STRAYS,
    evaluationPeriods: 3,
    datapointsToAlarm: 2,
  });
  alarm('FunctionThrottles', 'The concurrency of the account is used up', 'Throttled functions', {
    metric: lambdaMetric('Throttles'),
    threshold: 0,
  });
  alarm('TableThrottles', 'The table refuses calls again and again', 'Throttled table', {
    metric: throttledCalls(table),
    threshold: 0,
    // A partition that has just been divided refuses some, and those go through when they are tried again.
    evaluationPeriods: 3,
    datapointsToAlarm: 2,
  });
}

type Rule = Pick<AlarmProps, 'threshold'> &
  Partial<
    Pick<AlarmProps, 'evaluationPeriods' | 'datapointsToAlarm' | 'comparisonOperator' | 'treatMissingData'>
  >;

/** All operations of the table that the service uses: ids are drawn by single updates. */
const OPERATIONS = [
  Operation.TRANSACT_WRITE_ITEMS,
  Operation.UPDATE_ITEM,
  Operation.PUT_ITEM,
  Operation.DELETE_ITEM,
  Operation.BATCH_GET_ITEM,
  Operation.QUERY,
];

type Named = Pick<Resources['table'], 'tableName'>;

/** Calls that the table refused, of all operations. */
function throttledCalls(table: Named): MathExpression {
  const throttled = OPERATIONS.map(
    (operation, index) => [`by${index}`, throttledBy(table, operation)] as const,
  );
  return new MathExpression({
    expression: throttled.map(([name]) => `FILL(${name}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(throttled),
    label: 'Throttled calls of the table',
    period: Duration.minutes(5),
  });
}

function throttledBy({ tableName }: Named, operation: Operation): Metric {
  return new Metric({
    namespace: 'AWS/DynamoDB',
    metricName: 'ThrottledRequests',
    dimensionsMap: { TableName: tableName, Operation: operation },
    statistic: 'Sum',
    period: Duration.minutes(5),
  });
}

/** Sums the failed calls of all areas. */
function allFailed(areas: readonly Pick<ReturnType<typeof apiMetrics>, 'failed'>[]): MathExpression {
  const failed = areas.map(({ failed: each }, index) => [`area${index}`, each] as const);
  return new MathExpression({
    expression: failed.map(([name]) => `FILL(${name}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(failed),
    label: 'Failed calls',
    period: Duration.minutes(5),
  });
}
