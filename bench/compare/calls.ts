import * as z from 'zod';
import type { ExpectedCall } from '#bench/support/expected-call.ts';
import { type BenchShop, PRICE, saleBodyOf } from '#bench/support/shop.ts';

/** A measured call, and its repetitions. */
export interface TimedCall {
  readonly name: string;
  /** Concurrent callers, each sequential. */
  readonly callers: number;
  readonly warm: number;
  /** Per caller. */
  readonly times: number;
  readonly needs: Partial<Stock>;
  readonly of: (version: Stocked, caller: number, turn: number) => ExpectedCall;
}

/** Number of products, and of the previous year's sales. */
export interface Stock {
  readonly goods: number;
  readonly sales: number;
}

/** A version's shop, and its sales before the measurement. */
export interface Stocked {
  readonly shop: BenchShop;
  readonly sales: number;
}

/** Concurrent desks that sell, or readers of lists. */
export const CALLERS = 8;

const SALES = 100_000;
const PAGE_SIZE = 20;
const LINES = [1, 10, 100];

/** Lists all measured calls in order. */
export function listCalls(): TimedCall[] {
  return [
    { name: 'make a brand', ...alone(200), needs: {}, of: makeBrand },
    { name: 'get a brand', ...alone(200), needs: {}, of: getBrand },
    { name: 'list brands', ...alone(200), needs: {}, of: listBrands },
    ...[alone(200), together(100)].flatMap(listsOf),
    ...LINES.map((lines) => saleOf(lines, alone(lines < 100 ? 200 : 60), 'same')),
    ...(['other', 'same'] as const).flatMap((goods) =>
      LINES.map((lines) => saleOf(lines, together(lines < 100 ? 100 : 12), goods)),
    ),
  ];
}

type Often = Pick<TimedCall, 'callers' | 'warm' | 'times'>;

function alone(times: number): Often {
  return { callers: 1, warm: times / 4, times };
}

function together(times: number): Often {
  return { callers: CALLERS, warm: times / 4, times };
}

function listsOf(often: Often): TimedCall[] {
  return (['first', 'last'] as const).map((end) => ({
    name: `${end} page of sales${by(often)}`,
    ...often,
    needs: { sales: SALES },
    of: (version) => listSales(version, end),
  }));
}

/** Returns a sale of this many products: the same for all callers, or separate ones. */
function saleOf(lines: number, often: Often, goods: 'same' | 'other'): TimedCall {
  const answer = z.object({ id: z.int(), sold_amount: z.literal(PRICE * lines) });
  return {
    name: `sell ${lines} lines${by(often)}${often.callers > 1 ? `, ${goods} goods` : ''}`,
    ...often,
    needs: { goods: goods === 'same' ? lines : lines * CALLERS },
    of: ({ shop }, caller) => {
      const first = goods === 'same' ? 0 : caller * lines;
      const products = shop.products.slice(first, first + lines);
      const json = saleBodyOf(shop, shop.desks[caller] ?? 0, products);
      return { request: 'POST /company/trade/sale', json, answer };
    },
  };
}

function by({ callers }: Often): string {
  return callers === 1 ? '' : `, ${callers} callers`;
}

function makeBrand(_: Stocked, caller: number, turn: number): ExpectedCall {
  const name = `Brand ${caller}-${turn}-${Date.now()}`;
  const answer = z.object({ id: z.int(), name: z.literal(name) });
  return { request: 'POST /company/product/brand', json: { name, image_old_keys: '[]' }, answer };
}

function getBrand({ shop }: Stocked): ExpectedCall {
  const id = shop.card.brand_id;
  return { request: `GET /company/product/brand/${id}`, answer: z.object({ id: z.literal(id) }) };
}

function listBrands(): ExpectedCall {
  return { request: 'GET /company/product/brand', answer: z.object({ data: z.array(Row).min(1) }) };
}

const Row = z.object({ id: z.int() });

/** Lists the newest sales, or the oldest page that was full before the measurement. */
function listSales({ sales }: Stocked, end: 'first' | 'last'): ExpectedCall {
  const page = end === 'first' ? 1 : Math.max(1, Math.floor(sales / PAGE_SIZE));
  const data = z.array(Row).length(Math.min(PAGE_SIZE, sales));
  return { request: `GET /company/trade/sale?page=${page}`, answer: z.object({ data }) };
}
