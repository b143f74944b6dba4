import * as z from 'zod';
import { type Client, clientWith, make, tokenOf } from '#bin/demo/client.ts';
import { isIn, type Staff } from '#lib/access/actor.ts';
import { identify } from '#lib/access/identify.ts';
import { readToken } from '#lib/access/tokens.ts';
import { exchange } from '#lib/trade/exchange/exchange.ts';
import { ExchangeInput } from '#lib/trade/exchange/input.ts';
import { ReturnInput } from '#lib/trade/return/input.ts';
import { returnGoods } from '#lib/trade/return/return.ts';
import { linesOf, type MeasuredService, quantile, startMeasured } from '../service.ts';
import { chequeOf, type Shop, setUpShop } from '../shop.ts';
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

/** An operation on a cheque that was just made, and its work in this process. */
interface Measured {
  readonly what: string;
  readonly method: 'PATCH' | 'POST';
  readonly word: string;
  readonly allowed_ms: number;
  /** How many lines the cheque has. */
  readonly lines: number;
  readonly bodyOf: (lineIds: readonly number[]) => object;
  readonly here: (actor: Staff, id: number, json: object) => Promise<unknown>;
}

interface Scene {
  readonly service: MeasuredService;
  readonly client: Client;
  readonly actor: Staff;
  readonly shop: Shop;
}

const WARM_UP = 20;
const MEASURED = 60;
const LINES = 3;
const PRICE = 5000;

const Sold = z.object({ products: z.array(z.object({ id: z.int() })) });

/** Returns whole cheques of three lines, and exchanges one piece for another of the same price. */
export async function measureReturns(): Promise<ReturnFigure[]> {
  const service = await startMeasured();
  Object.assign(process.env, service.settings);
  const at = Date.now();
  const token = await tokenOf(service.address, 'director');
  const actor = await identify(await readToken(token, at), at);
  if (!isIn('company', actor)) throw new Error('A director is staff');
  const client = clientWith(service.address, token);
  const scene = { service, client, actor, shop: await setUpShop(client, LINES, 1) };
  const figures = [await measure(scene, returns), await measure(scene, exchanges(scene))];
  await service.stop();
  return figures;
}

const returns: Measured = {
  what: `return of ${LINES} lines`,
  method: 'PATCH',
  word: 'return',
  allowed_ms: 40,
  lines: LINES,
  bodyOf: (lineIds) => ({
    products: lineIds.map(returnedPiece),
    transactions: [{ payment_type: 'cash', amount: PRICE * LINES }],
  }),
  here: (actor, id, json) => returnGoods(actor, { id, ...ReturnInput.parse(json) }, Date.now(), () => []),
};

function exchanges({ actor, shop }: Scene): Measured {
  const place = { cashbox_id: shop.desks[0], stock_id: shop.stock, company_id: actor.companyId };
  return {
    what: 'exchange of one for one',
    method: 'POST',
    word: 'exchange',
    allowed_ms: 60,
    lines: 1,
    bodyOf: (lineIds) => ({
      ...{ ...place, currency: 'uzs' },
      returned_products: lineIds.map(returnedPiece),
      products: [{ product_id: shop.products[1], sold_quantity: 1 }],
    }),
    here: (who, id, json) => exchange(who, { id, ...ExchangeInput.parse(json) }, Date.now(), () => []),
  };
}

async function measure(scene: Scene, measured: Measured): Promise<ReturnFigure> {
  const { what, method, word, allowed_ms } = measured;
  const times: number[] = [];
  let failed = 0;
  for (let each = 0; each < WARM_UP + MEASURED; each++) {
    const { id, json } = await prepare(scene, measured);
    const began = performance.now();
    const { status } = await scene.client(`${method} /company/trade/sale/${id}/${word}`, json);
    if (each >= WARM_UP) times.push(performance.now() - began);
    if (status !== 200) failed += 1;
  }
  const route = `${method} /company/trade/sale/{model}/${word}`;
  const lines = (await linesOf(scene.service, route, WARM_UP + MEASURED)).slice(WARM_UP);
  const { id, json } = await prepare(scene, measured);
  return {
    what,
    calls: times.length,
    failed,
    p50_ms: quantile(times),
    allowed_ms,
    p95_ms: quantile(times, 0.95),
    round_trips: Math.max(...lines.map(({ round_trips }) => round_trips)),
    written_units: await billedWrites(async () => void (await measured.here(scene.actor, id, json))),
  };
}

/** Sells a cheque for the operation, and makes its body. */
async function prepare({ client, shop }: Scene, { lines, bodyOf }: Measured) {
  const cheque = chequeOf(shop, shop.desks[0] ?? 0, shop.products.slice(0, lines));
  const id = await make(client, '/company/trade/sale', cheque);
  const { products } = Sold.parse((await client(`GET /company/trade/sale/${id}`)).body);
  return { id, json: bodyOf(products.map((line) => line.id)) };
}

function returnedPiece(id: number): object {
  return { id, reason_type: 'defective', returned_quantity: 1 };
}
