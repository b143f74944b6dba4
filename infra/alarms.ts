import { Duration } from 'aws-cdk-lib';
import type { CfnApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Alarm,
  ComparisonOperator,
  Dashboard,
  GraphWidget,
  MathExpression,
  Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Resources } from './resources.ts';

const PERIOD = Duration.minutes(5);

/**
 * Adds alarms that tell a topic, which people subscribe to, what someone should look at; and a dashboard of
 * the service.
 */
export function addAlarms(scope: Construct, api: CfnApi, { table, queues, secrets }: Resources): void {
  const parts = new Construct(scope, 'Alarms');
  // CloudWatch has to encrypt its messages.
  secrets.key.grant(new ServicePrincipal('cloudwatch.amazonaws.com'), 'kms:Decrypt', 'kms:GenerateDataKey*');
  const topic = new Topic(parts, 'Topic', { masterKey: secrets.key, enforceSSL: true });
  const metrics = {
    ...apiMetrics(api),
    throttles: lambdaMetric('Throttles'),
    errors: lambdaMetric('Errors'),
  };
  const alarm = (id: string, metric: Metric | MathExpression, over: number, what: string) =>
    new Alarm(parts, id, {
      metric,
      threshold: over,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      alarmDescription: what,
    }).addAlarmAction(new SnsAction(topic));

  for (const [name, { deadLetters }] of queues) {
    const waiting = deadLetters.metricApproximateNumberOfMessagesVisible({
      period: PERIOD,
      statistic: 'Maximum',
    });
    alarm(`${name}-dead-letters`, waiting, 0, `Messages that the worker ${name} failed at five times`);
  }
  alarm('ServerErrors', metrics.failing, 1, 'More than 1 % of calls are answered with 5xx');
  alarm(
    'FunctionThrottles',
    metrics.throttles,
    0,
    'Functions are refused: the concurrency of the account is used up',
  );
  const refused = table.metricThrottledRequestsForOperation('TransactWriteItems', { period: PERIOD });
  alarm('TableThrottles', refused, 0, 'The table refuses transactions: a partition is too hot');

  new Dashboard(parts, 'Dashboard', {
    widgets: [
      [graph('Calls', metrics.calls), graph('Latency, ms', metrics.median, metrics.slow)],
      [
        graph('Answers of 4xx and 5xx', metrics.refused, metrics.failed),
        graph('Functions', metrics.errors, metrics.throttles),
      ],
      [
        graph(
          'Table, units',
          table.metricConsumedReadCapacityUnits(),
          table.metricConsumedWriteCapacityUnits(),
        ),
      ],
    ],
  });
}

function apiMetrics(api: CfnApi) {
  const metric = (metricName: string, statistic: string) =>
    new Metric({
      namespace: 'AWS/ApiGateway',
      metricName,
      statistic,
      period: PERIOD,
      dimensionsMap: { ApiId: api.ref },
    });
  const failed = metric('5xx', 'Sum');
  const calls = metric('Count', 'Sum');
  return {
    calls,
    failed,
    refused: metric('4xx', 'Sum'),
    median: metric('Latency', 'p50'),
    slow: metric('Latency', 'p99'),
    // One failure at night is no alarm: a rate counts from twenty calls on.
    failing: new MathExpression({
      expression: 'IF(calls >= 20, 100 * failed / calls, 0)',
      usingMetrics: { failed, calls },
      label: 'Failing calls, %',
      period: PERIOD,
    }),
  };
}

function lambdaMetric(metricName: string): Metric {
  return new Metric({ namespace: 'AWS/Lambda', metricName, statistic: 'Sum', period: PERIOD });
}

function graph(title: string, ...left: Metric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 12 });
}
