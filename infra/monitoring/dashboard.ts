import { Dashboard, GraphWidget, type IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { Resources } from '#infra/functions/resources.ts';
import type { Apis } from '#infra/http/apis.ts';
import {
  apiMetrics,
  figureMetric,
  lambdaMetric,
  perMinute,
  refusalsByCode,
  streamMetric,
} from './metrics.ts';

const TRADE = ['sales', 'returns', 'exchanges', 'debt_payments', 'shifts_closed'] as const;

/** Adds the dashboard: business figures first, then those of the service. */
export function addDashboard(
  scope: Construct,
  apis: Apis,
  following: Alias,
  { table, queues, stage: { name } }: Resources,
): void {
  const calls = [...apis].map(([area, api]) => apiMetrics(area, api));
  const waiting = [...queues.values()].map(({ queue }) => queue.metricApproximateAgeOfOldestMessage());
  new Dashboard(scope, 'Dashboard', {
    widgets: [
      [
        graph('Trade', ...TRADE.map((figure) => perMinute(name, figure))),
        graph('Refusals by code', refusalsByCode(name)),
      ],
      [
        graph('Calls', ...calls.map(({ made }) => made)),
        graph('Latency, ms', ...calls.flatMap(({ median, slow }) => [median, slow])),
      ],
      [
        graph('Answers of 4xx and 5xx', ...calls.flatMap(({ refused, failed }) => [refused, failed])),
        graph('Functions', lambdaMetric('Errors'), lambdaMetric('Throttles')),
      ],
      [
        graph(
          'Table, units',
          table.metricConsumedReadCapacityUnits(),
          table.metricConsumedWriteCapacityUnits(),
        ),
        graph('Tried again, recovered', figureMetric(name, 'conflicts'), figureMetric(name, 'recovered')),
      ],
      [
        graph('Oldest message, s', ...waiting),
        graph('Workers behind, ms', figureMetric(name, 'worker_lag', 'Maximum')),
      ],
      [
        graph(
          'Stream behind, and unheard, ms',
          streamMetric(following, 'IteratorAge'),
          figureMetric(name, 'feed_lag', 'Maximum'),
        ),
        graph('Stream put aside, failing to', streamMetric(following, 'DestinationDeliveryFailures')),
      ],
    ],
  });
}

function graph(title: string, ...left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 12 });
}
