import { createInterface } from 'node:readline';
import * as z from 'zod';
import { startProcess } from '#bin/local/process.ts';

const Line = z.object({
  message: z.literal('request'),
  route: z.string(),
  status: z.int(),
  duration_ms: z.number(),
  table_ms: z.number(),
  round_trips: z.number(),
  capacity_units: z.number(),
  written_units: z.number(),
  conflicts: z.int().default(0),
});

/** A line of the service's log about one call, and how long it was. */
export type Line = z.output<typeof Line> & { readonly bytes: number };

/**
 * The whole service in a process of its own, as `npm start -- --memory` starts it, and the log of its calls.
 */
export interface MeasuredService {
  readonly address: string;
  /** With these in its environment, this process works on the same data. */
  readonly settings: Readonly<Record<string, string>>;
  readonly lines: Line[];
  stop(): Promise<void>;
}

/** Starts the service to be measured. */
export async function startMeasured(): Promise<MeasuredService> {
  const service = await startProcess({ LOG_LEVEL: 'info' }, { log: 'pipe' });
  const lines: Line[] = [];
  if (service.process.stdout) {
    createInterface(service.process.stdout).on('line', (text) => {
      const line = text.startsWith('{') ? Line.safeParse(JSON.parse(text)).data : undefined;
      if (line) lines.push({ ...line, bytes: text.length + 1 });
    });
  }
  return { ...service, lines };
}

/** Waits for this many lines of a route: the log is written after the answer. */
export async function linesOf({ lines }: MeasuredService, route: string, count: number): Promise<Line[]> {
  for (;;) {
    const found = lines.filter((line) => line.route === route);
    if (found.length >= count) return found.slice(0, count);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Finds the middle one of the values, or another quantile of them, to two decimals. */
export function quantile(values: readonly number[], share = 0.5): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 100) / 100;
}
