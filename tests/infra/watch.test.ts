import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from 'vitest';
import { all, only, type Resource, synthesize } from './synthesis.ts';

let plain: Resource[];
let told: Resource[];

beforeAll(async () => {
  plain = await synthesize();
  told = await synthesize({ ALARM_EMAIL: 'on-call@example.com', BUDGET: '150' });
});

function alarmsOf(resources: readonly Resource[], part: string): Resource['Properties'][] {
  const found = all(resources, 'AWS::CloudWatch::Alarm').filter(({ id }) => id.includes(part));
  return found.map(({ Properties }) => Properties);
}

describe('failed calls', () => {
  test.each([
    [1, 1, false],
    [2, 2, true],
    [19, 1, false],
    [20, 1, false],
    [100, 1, false],
    [100, 2, true],
    [199, 2, true],
    [200, 2, false],
    [1000, 10, false],
    [1000, 11, true],
    [50_000, 2, false],
    [50_000, 501, true],
    [50_000, 0, false],
  ])('of %i calls in five minutes %i that fail page somebody: %s', (calls, failed, pages) => {
    const alarms = alarmsOf(plain, 'ServerErrors');
    expect(alarms.length).toBeGreaterThan(1);
    for (const { Metrics, Threshold, ComparisonOperator } of alarms) {
      expect(ComparisonOperator).toBe('GreaterThanThreshold');
      expect(percentOf(Metrics, calls, failed) > Threshold).toBe(pages);
    }
  });

  /** Computes the expression of an alarm as CloudWatch does. */
  function percentOf(metrics: readonly { readonly Expression?: string }[], calls: number, failed: number) {
    const expression = metrics.find(({ Expression }) => Expression)?.Expression ?? '';
    const IF = (condition: boolean, yes: number, no: number) => (condition ? yes : no);
    return Number(runInNewContext(expression, { IF, calls, failed }));
  }
});

test('a service that nobody reaches pages somebody, though nothing is counted then', () => {
  const alarms = alarmsOf(plain, 'NotReached');
  expect(alarms).toHaveLength(1);
  expect(alarms[0]).toMatchObject({
    Metrics: [{ MetricStat: { Metric: { Namespace: 'Retail', MetricName: 'reached' } } }],
    ComparisonOperator: 'LessThanThreshold',
    Threshold: 1,
    TreatMissingData: 'breaching',
  });
  const knocks = all(plain, 'AWS::Scheduler::Schedule').filter(({ id }) => id.includes('knock'));
  expect(knocks.map(({ Properties }) => Properties['ScheduleExpression'])).toEqual(['rate(1 minute)']);
});

test('a stream that nobody follows pages somebody, though it has no age then', () => {
  const [late, lost] = ['StreamUnheard', 'StreamLongUnheard'].flatMap((id) => alarmsOf(plain, id));
  const ofPulse = [
    {
      MetricStat: {
        Metric: { Namespace: 'Retail', MetricName: 'feed_lag' },
        Period: 3600,
        Stat: 'Maximum',
      },
    },
  ];
  const hours = (count: number) => count * 3_600_000;
  expect(late).toMatchObject({ Metrics: ofPulse, Threshold: hours(2.5), TreatMissingData: 'notBreaching' });
  // It has three hours to breach, and the stream retains changes for twenty-three.
  expect(lost).toMatchObject({
    Metrics: ofPulse,
    Threshold: hours(10),
    EvaluationPeriods: 3,
    DatapointsToAlarm: 3,
    TreatMissingData: 'breaching',
  });
  const pulses = all(plain, 'AWS::Scheduler::Schedule').filter(({ id }) => id.includes('watchfeed'));
  expect(pulses.map(({ Properties }) => Properties['ScheduleExpression'])).toEqual(['rate(1 hour)']);
});

test('calls that functions refuse for the secret of CloudFront page somebody, but a few of scanners', () => {
  const alarms = alarmsOf(plain, 'PastTheEdge');
  expect(alarms).toHaveLength(1);
  expect(alarms[0]).toMatchObject({
    Metrics: [{ MetricStat: { Metric: { MetricName: 'past_the_edge' } } }],
    Threshold: 100,
    DatapointsToAlarm: 2,
  });
});

test('calls that the gateway refuses by itself page somebody: no function’s log has them', () => {
  const [alarm, ...others] = alarmsOf(plain, 'GatewayThrottles');
  expect(others).toEqual([]);
  const Metric = {
    Namespace: 'Retail',
    MetricName: 'throttled_at_gateway',
    Dimensions: [{ Name: 'stage', Value: 'dev' }],
  };
  expect(alarm).toMatchObject({ Metrics: [{ MetricStat: { Metric } }], DatapointsToAlarm: 2 });
  const { FilterPattern, MetricTransformations } = only(plain, 'AWS::Logs::MetricFilter').Properties;
  expect(FilterPattern).toBe('{ ($.status = "429") && ($.integration_ms = "-") }');
  expect(MetricTransformations).toEqual([
    {
      MetricName: 'throttled_at_gateway',
      MetricNamespace: 'Retail',
      MetricValue: '1',
      Dimensions: [{ Key: 'stage', Value: '$.stage' }],
    },
  ]);
  for (const { Properties } of all(plain, 'AWS::ApiGatewayV2::Stage')) {
    expect(JSON.parse(Properties['AccessLogSettings'].Format)).toMatchObject({
      status: '$context.status',
      integration_ms: '$context.integrationLatency',
      stage: 'dev',
    });
  }
});

test('each alarm tells that it began, and that it is over', () => {
  for (const { Properties } of all(plain, 'AWS::CloudWatch::Alarm')) {
    expect(Properties['OKActions']).toEqual(Properties['AlarmActions']);
    expect(Properties['AlarmActions']).toHaveLength(1);
  }
});

test('alarms are mailed to the address of -c ALARM_EMAIL, and not at all without it', () => {
  expect(all(plain, 'AWS::SNS::Subscription')).toEqual([]);
  const { Properties } = only(told, 'AWS::SNS::Subscription');
  expect(Properties).toMatchObject({ Protocol: 'email', Endpoint: 'on-call@example.com' });
});

test('the account’s monthly budget alarms once it is spent, and once that is forecast', async () => {
  expect(all(plain, 'AWS::Budgets::Budget')).toEqual([]);
  const { Properties } = only(told, 'AWS::Budgets::Budget');
  expect(Properties['Budget']).toMatchObject({
    TimeUnit: 'MONTHLY',
    BudgetLimit: { Amount: 150, Unit: 'USD' },
  });
  const subscribers = [{ SubscriptionType: 'EMAIL', Address: 'on-call@example.com' }];
  expect(Properties['NotificationsWithSubscribers']).toEqual(
    ['ACTUAL', 'FORECASTED'].map((NotificationType) => ({
      Notification: { NotificationType, ComparisonOperator: 'GREATER_THAN', Threshold: 100 },
      Subscribers: subscribers,
    })),
  );
  await expect(synthesize({ BUDGET: '150' })).rejects.toThrow('BUDGET is told to ALARM_EMAIL');
});
