/** A line of the structured log: one JSON object, never containing a body, a header or a token. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Writes a line to Lambda's log. `LOG_LEVEL=silent` suppresses it, for tests. */
export function log(line: LogLine): void {
  if (process.env['LOG_LEVEL'] === 'silent') return;
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Describes an error for the log. */
export function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: error.name, detail: error.message, stack: error.stack };
}

/** Business metrics that operations count on success. */
export type Figure = 'sales' | 'returns' | 'exchanges' | 'debt_payments' | 'shifts_closed';

const NAMESPACE = 'Retail';

/** The metrics of one log line: values by name, and an error code. */
export interface Figures {
  readonly counts: Readonly<Record<string, number>>;
  readonly milliseconds?: Readonly<Record<string, number>>;
  readonly code?: string | undefined;
}

/**
 * Returns the fields by which CloudWatch extracts metrics from a log line (embedded metric format), without a
 * request and at no cost besides the metric's. Empty without metrics, or without a stage.
 */
export function countFigures(
  { counts, milliseconds = {}, code }: Figures,
  at: number,
): Record<string, unknown> {
  const stage = process.env['STAGE'];
  const figures = { ...counts, ...milliseconds };
  if (!stage || (Object.keys(figures).length === 0 && code === undefined)) return {};
  const metrics = [...metricsOf(counts, 'Count'), ...metricsOf(milliseconds, 'Milliseconds')];
  const refused = { Namespace: NAMESPACE, Dimensions: [['stage', 'code']], Metrics: REFUSALS };
  const done = { Namespace: NAMESPACE, Dimensions: [['stage']], Metrics: metrics };
  return {
    ...figures,
    stage,
    ...(code !== undefined && { refusals: 1 }),
    _aws: {
      Timestamp: at,
      CloudWatchMetrics: [...(metrics.length > 0 ? [done] : []), ...(code === undefined ? [] : [refused])],
    },
  };
}

const REFUSALS = [{ Name: 'refusals', Unit: 'Count' }];

function metricsOf(figures: Readonly<Record<string, number>>, Unit: 'Count' | 'Milliseconds') {
  return Object.keys(figures).map((Name) => ({ Name, Unit }));
}
