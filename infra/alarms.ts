import { Duration, Stack } from 'aws-cdk-lib';
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
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Apis } from './http/apis.ts';
import type { Resources } from './resources.ts';
import type { Stage } from './stage.ts';

const PERIOD = Duration.minutes(5);

/**
 * Adds alarms that tell a topic, which people subscribe to, what someone should look at; and a dashboard of
 * the service.
 */
export function addAlarms(scope: Construct, apis: Apis, { table, queues, stage }: Resources): void {
  const parts = new Construct(scope, 'Alarms');
  const topic = addTopic(parts, stage);
  const calls = [...apis].map(([area, api]) => ({ area, ...apiMetrics(area, api) }));
  const metrics = { throttles: lambdaMetric('Throttles'), errors: lambdaMetric('Errors') };
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
  for (const { area, failing } of calls) {
    alarm(`ServerErrors-${area}`, failing, 1, `More than 1 % of the calls of ${area} are answered with 5xx`);
  }
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
      [
        graph('Calls', ...calls.map(({ made }) => made)),
        graph('Latency, ms', ...calls.flatMap(({ median, slow }) => [median, slow])),
      ],
      [
        graph('Answers of 4xx and 5xx', ...calls.flatMap(({ refused, failed }) => [refused, failed])),
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

/**
 * Adds the topic. Its policy takes the place of the usual one, so it has to let CloudWatch in; so has its
 * key.
 */
function addTopic(scope: Construct, { removal }: Stage): Topic {
  const key = new Key(scope, 'Key', {
    description: 'Alarms of the retail back office',
    enableKeyRotation: true,
    removalPolicy: removal,
  });
  const cloudWatch = {
    effect: Effect.ALLOW,
    principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  };
  key.addToResourcePolicy(
    new PolicyStatement({
      ...cloudWatch,
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      resources: ['*'],
    }),
  );
  const topic = new Topic(scope, 'Topic', { masterKey: key, enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({ ...cloudWatch, actions: ['sns:Publish'], resources: [topic.topicArn] }),
  );
  return topic;
}

function apiMetrics(area: string, api: CfnApi) {
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
    // One failure at night is no alarm: a rate counts from twenty calls on.
    failing: new MathExpression({
      expression: 'IF(calls >= 20, 100 * failed / calls, 0)',
      usingMetrics: { failed, calls: made },
      label: `Failing calls of ${area}, %`,
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
