import { ASSUMED, PRICES } from './prices.ts';
import type { Use } from './use.ts';

const GB = 1024 ** 3;

/** Dollars by kind of cost. */
export interface Dollars {
  readonly table: number;
  readonly functions: number;
  readonly gateway: number;
  readonly edge: number;
  readonly logs: number;
  /** Monthly fees. */
  readonly fixed: number;
}

/** Zero price. */
export const NOTHING: Dollars = { table: 0, functions: 0, gateway: 0, edge: 0, logs: 0, fixed: 0 };

/** Computes the price of a use repeated this many times; its storage is paid for a month. */
export function dollarsFor(times: number, use: Use): Dollars {
  const { table, functions, gateway, edge, logs } = PRICES;
  const seconds = (use.own_ms / ASSUMED.processor + use.round_trips * ASSUMED.round_trip_ms) / 1000;
  const logged = use.logged_bytes + use.calls * ASSUMED.access_line_bytes;
  const one = {
    table:
      use.written_units * table.write_unit +
      use.read_units * table.read_unit +
      (use.stored_bytes / GB) * table.stored_gb,
    functions: use.calls * functions.call + seconds * ASSUMED.memory_gb * functions.gb_second,
    gateway: use.calls * gateway.call,
    edge:
      use.calls * (edge.call + edge.viewer) +
      (use.sent_bytes / GB) * edge.sent_gb +
      (use.given_bytes / GB) * edge.given_gb,
    logs: (logged / GB) * (logs.written_gb + ASSUMED.log_months * ASSUMED.log_stored * logs.stored_gb),
    fixed: 0,
  };
  return mapPrices(one, (dollars) => dollars * times);
}

/** Prices a month of storing bytes in the table without using them. */
export function dollarsToKeep(bytes: number): number {
  return cents((bytes / GB) * PRICES.table.stored_gb);
}

/** Returns bytes in gigabytes, to two decimals. */
export function gigabytes(bytes: number): number {
  return cents(bytes / GB);
}

/** Adds prices. */
export function together(prices: readonly Dollars[]): Dollars {
  return prices.reduce((sum, each) => ({
    table: sum.table + each.table,
    functions: sum.functions + each.functions,
    gateway: sum.gateway + each.gateway,
    edge: sum.edge + each.edge,
    logs: sum.logs + each.logs,
    fixed: sum.fixed + each.fixed,
  }));
}

/** Returns a row of the table, to the cent, with its sum. */
export function priceRow(what: string, dollars: Dollars) {
  const total = Object.values(dollars).reduce((sum, each) => sum + each, 0);
  return { what, ...mapPrices({ ...dollars, total }, cents) };
}

function mapPrices<K extends string>(prices: Readonly<Record<K, number>>, change: (price: number) => number) {
  const changed: Record<K, number> = { ...prices };
  for (const name in prices) changed[name] = change(prices[name]);
  return changed;
}

function cents(dollars: number): number {
  return Math.round(dollars * 100) / 100;
}
