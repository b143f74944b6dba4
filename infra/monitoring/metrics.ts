import { Duration } from 'aws-cdk-lib';
import type { CfnApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { THROTTLED } from '#infra/http/apis.ts';
import type { Figure } from '#lib/http/wire/log.ts';

const PERIOD = Duration.minutes(5);

/** Returns the request metrics of an area's API. */
export function apiMetrics(area: string, api: CfnApi) {
  const metric = (metricName: string, statistic: string) =>
    new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      statistic,
      period: PERIOD,
      dimensionsMap: { ApiId: api.ref },
      label: `${area} ${metricName} ${statistic}`,
    });
  const failed = metric('5xx', 'Sum');
  const made = metric('Count', 'Sum');
  return {
    made,
    failed,
    refused: metric('4xx', 'Sum'),
    median: metric('Latency', 'p50'),
    slow: metric('Latency', 'p99'),
    slowest: metric('IntegrationLatency', 'Maximum'),
    failing: new MathExpression({
      // One failure is no pattern, among any number of requests; two are a rate, at night too.
      expression: 'IF(failed >= 2, 100 * failed / calls, 0)',
      usingMetrics: { failed, calls: made },
      label: `Failing calls of ${area}, %`,
      period: PERIOD,
    }),
  };
}

/** Returns a Lambda metric over all functions of the account. */
export function lambdaMetric(metricName: string): Metric {
  return new Metric({ namespace: 'AWS/Lambda', metricName, statistic: 'Sum', period: PERIOD });
}

/** Returns a Lambda metric of the stream consumer: the worst of its shards. */
export function streamMetric(
  following: Alias,
  metricName: 'IteratorAge' | 'DestinationDeliveryFailures',
): IMetric {
  return following.metric(metricName, { statistic: 'Maximum', period: PERIOD, label: metricName });
}

/** Figures with alarms. */
type AlarmFigure = 'payments_not_credited' | 'past_the_edge' | 'reached' | 'feed_lag' | typeof THROTTLED;

/** Returns the metric of a figure of the service itself, extracted by CloudWatch from the log. */
export function figureMetric(
  stage: string,
  figure: Figure | AlarmFigure | 'conflicts' | 'recovered' | 'worker_lag',
  statistic: 'Sum' | 'Maximum' = 'Sum',
): Metric {
  return new Metric({
    namespace: 'Retail',
    metricName: figure,
    statistic,
    period: PERIOD,
    dimensionsMap: { stage },
    label: figure.replaceAll('_', ' '),
  });
}

/** Returns a figure per minute, for any period of the graph. */
export function perMinute(stage: string, figure: Figure): MathExpression {
  const counted = figureMetric(stage, figure);
  return new MathExpression({
    expression: `${figure} / (PERIOD(${figure}) / 60)`,
    usingMetrics: { [figure]: counted },
    label: `${counted.label} a minute`,
    period: PERIOD,
  });
}

/** Returns the graph of API errors, a line for each code. */
export function refusalsByCode(stage: string): MathExpression {
  return new MathExpression({
    expression: `SEARCH('{Retail,stage,code} stage="${stage}" MetricName="refusals"', 'Sum')`,
    usingMetrics: {},
    label: '',
    period: PERIOD,
  });
}

/** All table operations that the service uses: ids are allocated by single updates. */
const TABLE_OPERATIONS = [
  Operation.TRANSACT_WRITE_ITEMS,
  Operation.UPDATE_ITEM,
  Operation.PUT_ITEM,
  Operation.DELETE_ITEM,
  Operation.BATCH_GET_ITEM,
  Operation.TRANSACT_GET_ITEMS,
  Operation.QUERY,
];

/** Returns the metric of throttled requests to a table, over all operations. */
export function tableThrottles(TableName: string): MathExpression {
  const metrics = TABLE_OPERATIONS.map(
    (operation) =>
      new Metric({
        namespace: 'AWS/DynamoDB',
        metricName: 'ThrottledRequests',
        dimensionsMap: { TableName, Operation: operation },
        statistic: 'Sum',
        period: PERIOD,
      }),
  );
  return sumMetrics('by', 'Throttled calls of the table', metrics);
}

/** Sums metrics, each of which may be missing; their ids begin with the prefix. */
export function sumMetrics(prefix: string, label: string, metrics: readonly IMetric[]): MathExpression {
  const named = metrics.map((metric, index) => [`${prefix}${index}`, metric] as const);
  return new MathExpression({
    expression: named.map(([name]) => `FILL(${name}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(named),
    label,
    period: PERIOD,
  });
}
