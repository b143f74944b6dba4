import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { billMissing } from '#bin/local/database/missing-items.ts';
import { startProcess } from '#bin/local/process.ts';

const Line = z.object({
  message: z.literal('request'),
  request_id: z.string(),
  route: z.string(),
  duration_ms: z.number(),
  table_ms: z.number(),
  round_trips: z.number(),
  capacity_units: z.number(),
  written_units: z.number(),
  conflicts: z.int().default(0),
});

/** A log line of a request, and its length. */
export type Line = z.output<typeof Line> & { readonly bytes: number };

/** The whole service in a process of its own, as started by `npm start -- --memory`, and its request log. */
export interface MeasuredService {
  readonly address: string;
  /** Environment with which this process uses the same data. */
  readonly settings: Readonly<Record<string, string>>;
  /** By request id. */
  readonly lines: ReadonlyMap<string, Line>;
  stop(): Promise<void>;
}

/** The log is written after the response: polls for it, a few milliseconds apart. */
const MAX_LOOKS = 1000;

/** Starts the service to measure, with further environment. */
export async function startMeasured(env: Readonly<Record<string, string>> = {}): Promise<MeasuredService> {
  billMissing();
  const service = await startProcess({ LOG_LEVEL: 'info', ...env }, { log: 'pipe' });
  const lines = new Map<string, Line>();
  if (service.process.stdout) {
    createInterface(service.process.stdout).on('line', (text) => {
      const line = text.startsWith('{') ? Line.safeParse(JSON.parse(text)).data : undefined;
      if (line) lines.set(line.request_id, { ...line, bytes: text.length + 1 });
    });
  }
  return { ...service, lines };
}

/** Waits for the log line of a request. */
export async function lineOf({ lines }: MeasuredService, { headers }: Reply): Promise<Line> {
  const id = headers.get('x-request-id') ?? '';
  for (let look = 0; look < MAX_LOOKS; look++) {
    const line = lines.get(id);
    if (line) return line;
    await pause(5);
  }
  throw new Error(`The log has no line of the call ${id}`);
}

/** Returns the median of values, or another quantile, to two decimals. */
export function quantile(values: readonly number[], share = 0.5): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 100) / 100;
}
