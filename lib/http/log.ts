/** A line of the structured log: one JSON object, never with a body, a header or a token in it. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly message: string;
  readonly [field: string]: unknown;
}

/** Writes a line to Lambda's log. `LOG_LEVEL=silent` keeps a test run quiet. */
export function log(line: LogLine): void {
  if (process.env['LOG_LEVEL'] === 'silent') return;
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Describes an error for the log. */
export function describe(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { error: String(error) };
  return { error: error.name, detail: error.message, stack: error.stack };
}
