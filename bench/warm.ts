import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';

/** What one route costs once its function is warm; medians over the measured calls, times in milliseconds. */
export interface WarmFigure {
  readonly route: string;
  readonly calls: number;
  readonly outside_sdk_ms: number;
  readonly table_ms: number;
  readonly round_trips: number;
  readonly capacity_units: number;
}

const WARM_UP = 100;
const MEASURED = 300;

const Line = z.object({
  message: z.literal('request'),
  route: z.string(),
  duration_ms: z.number(),
  table_ms: z.number(),
  round_trips: z.number(),
  capacity_units: z.number(),
});

type Line = z.output<typeof Line>;

/** Calls brand create, get and list over HTTP, one caller, and reads the figures in the service's own log. */
export async function measureWarm(): Promise<WarmFigure[]> {
  const program = join(import.meta.dirname, '../bin/local.ts');
  const service = spawn(process.execPath, [program, '--memory'], {
    env: { ...process.env, PORT: '0', LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: Line[] = [];
  const address = await collect(service, lines);
  await callBrands(address);
  const ended = once(service, 'exit');
  service.kill('SIGTERM');
  await ended;
  return [...Map.groupBy(lines, ({ route }) => route)]
    .filter(([, served]) => served.length >= WARM_UP + MEASURED)
    .map(([route, served]) => figureOf(route, served.slice(WARM_UP)));
}

function collect(service: ChildProcess, lines: Line[]): Promise<string> {
  return new Promise((resolve, reject) => {
    service.once('exit', () => reject(new Error('The service ended')));
    if (!service.stdout) return;
    createInterface(service.stdout).on('line', (text) => {
      const address = /Retail back office: (\S+)/.exec(text)?.[1];
      if (address) resolve(address);
      const line = text.startsWith('{') ? Line.safeParse(JSON.parse(text)) : undefined;
      if (line?.success) lines.push(line.data);
    });
  });
}

async function callBrands(address: string): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: '' };
  const post = async (path: string, body: object) =>
    (await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  const { token } = z
    .object({ token: z.string() })
    .parse(await post('/common/auth/login', { username: 'director', password: 'Retail-2026' }));
  headers.authorization = `Bearer ${token}`;
  for (let each = 1; each <= WARM_UP + MEASURED; each++) {
    await post('/company/product/brand', { name: `Brand ${each}`, image_old_keys: '[]' });
    await (await fetch(`${address}/company/product/brand/${each}`, { headers })).json();
    await (await fetch(`${address}/company/product/brand`, { headers })).json();
  }
}

function figureOf(route: string, lines: readonly Line[]): WarmFigure {
  return {
    route,
    calls: lines.length,
    outside_sdk_ms: median(lines.map(({ duration_ms, table_ms }) => duration_ms - table_ms)),
    table_ms: median(lines.map(({ table_ms }) => table_ms)),
    round_trips: Math.max(...lines.map(({ round_trips }) => round_trips)),
    capacity_units: median(lines.map(({ capacity_units }) => capacity_units)),
  };
}

function median(values: readonly number[]): number {
  return Math.round((values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0) * 100) / 100;
}
