import * as z from 'zod';
import { clientWith, make, tokenOf } from '#bin/demo/client.ts';
import { isIn } from '#lib/access/actor.ts';
import { identify } from '#lib/access/identify.ts';
import { readToken } from '#lib/access/tokens.ts';
import { ReturnInput } from '#lib/trade/return/input.ts';
import { returnGoods } from '#lib/trade/return/return.ts';
import { linesOf, quantile, startMeasured } from '../service.ts';
import { chequeOf, setUpShop } from '../shop.ts';
import { billedWrites } from '../units.ts';

/** The cost of bringing goods back. Times in milliseconds, over HTTP, one caller. */
interface ReturnFigure {
  readonly what: string;
  readonly calls: number;
  readonly failed: number;
  readonly p50_ms: number;
  readonly allowed_ms: number;
  readonly p95_ms: number;
  readonly round_trips: number;
  /** As AWS bills them. */
  readonly written_units: number;
}

const ROUTE = 'PATCH /company/trade/sale/{model}/return';
const WARM_UP = 20;
const MEASURED = 60;
const LINES = 3;

const Sold = z.object({ products: z.array(z.object({ id: z.int() })) });

/** Returns whole cheques of three lines, each named. */
export async function measureReturns(): Promise<ReturnFigure[]> {
  const service = await startMeasured();
  Object.assign(process.env, service.settings);
  const token = await tokenOf(service.address, 'director');
  const client = clientWith(service.address, token);
  const shop = await setUpShop(client, LINES, 1);
  const cheque = chequeOf(shop, shop.desks[0] ?? 0, shop.products);
  const prepared = async () => {
    const id = await make(client, '/company/trade/sale', cheque);
    const { products } = Sold.parse((await client(`GET /company/trade/sale/${id}`)).body);
    const why = { reason_type: 'defective', returned_quantity: 1 };
    const { transactions } = z.object({ transactions: z.unknown() }).parse(cheque);
    return { id, json: { products: products.map((line) => ({ id: line.id, ...why })), transactions } };
  };
  const times: number[] = [];
  let failed = 0;
  for (let each = 0; each < WARM_UP + MEASURED; each++) {
    const { id, json } = await prepared();
    const began = performance.now();
    const { status } = await client(`PATCH /company/trade/sale/${id}/return`, json);
    if (each >= WARM_UP) times.push(performance.now() - began);
    if (status !== 200) failed += 1;
  }
  const lines = (await linesOf(service, ROUTE, WARM_UP + MEASURED)).slice(WARM_UP);
  const { id, json } = await prepared();
  const actor = await identify(await readToken(token, Date.now()), Date.now());
  const written_units = await billedWrites(async () => {
    const input = { id, ...ReturnInput.parse(json) };
    if (isIn('company', actor)) await returnGoods(actor, input, Date.now(), () => []);
  });
  await service.stop();
  return [
    {
      what: `return of ${LINES} lines`,
      calls: times.length,
      failed,
      p50_ms: quantile(times),
      allowed_ms: 40,
      p95_ms: quantile(times, 0.95),
      round_trips: Math.max(...lines.map(({ round_trips }) => round_trips)),
      written_units,
    },
  ];
}
