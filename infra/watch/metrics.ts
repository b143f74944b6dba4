import { Duration } from 'aws-cdk-lib';
import type { CfnApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Figure } from '#lib/http/wire/log.ts';

const PERIOD = Duration.minutes(5);

/** Makes the metrics of what the API of an area tells of its calls. */
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
      // One failure is no pattern, among however many calls; two are a rate, at night too.
      expression: 'IF(failed >= 2, 100 * failed / calls, 0)',
      usingMetrics: { failed, calls: made },
      label: `Failing calls of ${area}, %`,
      period: PERIOD,
    }),
  };
}

/** Makes the metric of what Lambda tells of all functions of the account. */
export function lambdaMetric(metricName: string): Metric {
  return new Metric({ namespace: 'AWS/Lambda', metricName, statistic: 'Sum', period: PERIOD });
}

/** Figures that alarms look at. */
type Trouble = 'payments_not_credited' | 'past_the_edge' | 'reached';

/** Makes the metric of a figure of the service's own, which CloudWatch takes out of the log. */
export function figureMetric(
  stage: string,
  figure: Figure | Trouble | 'conflicts' | 'recovered' | 'worker_lag',
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

/** Makes a figure by the minute, however long the period is that a graph shows. */
export function aMinute(stage: string, figure: Figure): MathExpression {
  const counted = figureMetric(stage, figure);
  return new MathExpression({
    expression: `${figure} / (PERIOD(${figure}) / 60)`,
    usingMetrics: { [figure]: counted },
    label: `${counted.label} a minute`,
    period: PERIOD,
  });
}

/** Makes the graph of refusals, a line for each code that callers got. */
export function refusalsByCode(stage: string): MathExpression {
  return new MathExpression({
    expression: `SEARCH('{Retail,stage,code} stage="${stage}" MetricName="refusals"', 'Sum')`,
    usingMetrics: {},
    label: '',
    period: PERIOD,
  });
}
