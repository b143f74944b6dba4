import { signIn } from '#bin/demo/client.ts';
import { type Line, linesOf, quantile, startMeasured } from './service.ts';

/**
 * The cost of one route once its function is warm; medians over the measured calls, times in milliseconds.
 */
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

const ROUTES = [
  'POST /company/product/brand',
  'GET /company/product/brand/{model}',
  'GET /company/product/brand',
];

/** Calls brand create, get and list over HTTP, one caller, and reads the figures in the service's own log. */
export async function measureWarm(): Promise<WarmFigure[]> {
  const service = await startMeasured();
  const client = await signIn(service.address, 'director');
  for (let each = 1; each <= WARM_UP + MEASURED; each++) {
    await client('POST /company/product/brand', { name: `Brand ${each}`, image_old_keys: '[]' });
    await client(`GET /company/product/brand/${each}`);
    await client('GET /company/product/brand');
  }
  const lines = await Promise.all(ROUTES.map((route) => linesOf(service, route, WARM_UP + MEASURED)));
  await service.stop();
  return lines.map((served, index) => figureOf(ROUTES[index] ?? '', served.slice(WARM_UP)));
}

function figureOf(route: string, lines: readonly Line[]): WarmFigure {
  return {
    route,
    calls: lines.length,
    outside_sdk_ms: quantile(lines.map(({ duration_ms, table_ms }) => duration_ms - table_ms)),
    table_ms: quantile(lines.map(({ table_ms }) => table_ms)),
    round_trips: Math.max(...lines.map(({ round_trips }) => round_trips)),
    capacity_units: quantile(lines.map(({ capacity_units }) => capacity_units)),
  };
}
