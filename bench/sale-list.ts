import { clientWith, tokenOf } from '#bin/demo/client.ts';
import { foldSales, loadSales, salesOf } from './sales.ts';
import { linesOf, quantile, startMeasured } from './service.ts';

/**
 * The cost of a page of the list of sales for a caller. Milliseconds, over HTTP, the service and its database
 * on one machine.
 */
export interface SaleListFigure {
  readonly page: string;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly outside_sdk_ms: number;
  readonly round_trips: number;
  readonly capacity_units: number;
}

const ROUTE = 'GET /company/trade/sale';
const SALES = 100_000;
const WARM_UP = 30;
const MEASURED = 60;

/** Reads page 1 and the last page of a hundred thousand sales, one caller. */
export async function measureSaleList(): Promise<SaleListFigure[]> {
  const service = await startMeasured();
  Object.assign(process.env, service.settings);
  await loadSales(salesOf(1), SALES, Date.now());
  await foldSales(salesOf(1));
  const client = clientWith(service.address, await tokenOf(service.address, 'director'));
  const figures: SaleListFigure[] = [];
  for (const page of [1, SALES / 20]) {
    const before = service.lines.filter(({ route }) => route === ROUTE).length;
    const times: number[] = [];
    for (let each = 0; each < WARM_UP + MEASURED; each++) {
      const began = performance.now();
      await client(`${ROUTE}?page=${page}`);
      times.push(performance.now() - began);
    }
    const lines = (await linesOf(service, ROUTE, before + times.length)).slice(before + WARM_UP);
    figures.push({
      page: `${page} of ${SALES / 20}`,
      p50_ms: quantile(times.slice(WARM_UP)),
      p95_ms: quantile(times.slice(WARM_UP), 0.95),
      outside_sdk_ms: quantile(lines.map(({ duration_ms, table_ms }) => duration_ms - table_ms)),
      round_trips: Math.max(...lines.map(({ round_trips }) => round_trips)),
      capacity_units: quantile(lines.map(({ capacity_units }) => capacity_units)),
    });
  }
  await service.stop();
  return figures;
}
