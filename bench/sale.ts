import { setTimeout as pause } from 'node:timers/promises';
import { type Client, clientWith, tokenOf } from '#bin/demo/client.ts';
import { isIn } from '#lib/access/actor.ts';
import { identify } from '#lib/access/identify.ts';
import { readToken } from '#lib/access/tokens.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { sell as sellGoods } from '#lib/trade/sale/sell.ts';
import { type Line, linesOf, type MeasuredService, quantile, startMeasured } from './service.ts';
import { addGoods, chequeOf, receive, type Shop, setUpShop } from './shop.ts';
import { billedWrites } from './units.ts';

/** The cost of selling. Times in milliseconds, over HTTP, the service and its database on one machine. */
export interface SaleFigure {
  readonly what: string;
  readonly calls: number;
  /** Calls answered neither with 200 nor, if goods run out, with 422. */
  readonly failed: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly outside_sdk_ms?: number;
  readonly round_trips?: number;
  /** As AWS bills them. */
  readonly written_units?: number;
  /** Four a line, and 16. */
  readonly units_allowed?: number;
  readonly conflicts?: number;
}

interface Scene {
  readonly service: MeasuredService;
  readonly client: Client;
  readonly token: string;
  readonly shop: Shop;
}

interface Call {
  readonly status: number;
  readonly ms: number;
}

const ROUTE = 'POST /company/trade/sale';
const WARM_UP = 20;
const MEASURED = 60;
const DESKS = 20;

/** Sells carts of several sizes at one desk, then from many desks at once. */
export async function measureSales(): Promise<SaleFigure[]> {
  const service = await startMeasured();
  const token = await tokenOf(service.address, 'director');
  const client = clientWith(service.address, token);
  const scene = { service, client, token, shop: await setUpShop(client, 100, DESKS) };
  const figures: SaleFigure[] = [];
  for (const lines of [1, 3, 10, 90, 100]) figures.push(await cartsOf(lines, scene));
  figures.push(await eightCallers(scene));
  figures.push(await fiftyASecond(scene));
  figures.push(await lastHundred(scene));
  await service.stop();
  return figures;
}

async function cartsOf(count: number, scene: Scene): Promise<SaleFigure> {
  const { shop } = scene;
  const json = chequeOf(shop, shop.desks[0] ?? 0, shop.products.slice(0, count));
  for (let each = 0; each < WARM_UP; each++) await scene.client(ROUTE, json);
  const { calls, lines } = await told(scene, async () => {
    const made: Call[] = [];
    for (let each = 0; each < MEASURED; each++) made.push(await sell(scene.client, json));
    return made;
  });
  return {
    ...figureOf(`${count} lines, one caller`, calls),
    outside_sdk_ms: quantile(lines.map(({ duration_ms, table_ms }) => duration_ms - table_ms)),
    round_trips: Math.max(...lines.map(({ round_trips }) => round_trips)),
    written_units: await billedWrites(() => sellHere(scene, json)),
    units_allowed: 4 * count + 16,
  };
}

/** Makes a sale in this process, so that every write it sends can be seen. */
async function sellHere({ service, token }: Scene, json: object): Promise<void> {
  Object.assign(process.env, service.settings);
  const at = Date.now();
  const actor = await identify(await readToken(token, at), at);
  if (isIn('company', actor)) await sellGoods(actor, SaleInput.parse(json), at, () => []);
}

/** Sells with eight callers, each at a desk of its own, as fast as they can, from the same ten products. */
async function eightCallers(scene: Scene): Promise<SaleFigure> {
  const { calls, lines } = await told(scene, async () => {
    const callers = scene.shop.desks.slice(0, 8).map(async (desk) => {
      const made: Call[] = [];
      for (let each = 0; each < 25; each++) made.push(await sell(scene.client, smallCart(scene.shop, desk)));
      return made;
    });
    return (await Promise.all(callers)).flat();
  });
  return { ...figureOf('1..3 of 10 products, eight callers', calls), ...conflictsIn(lines) };
}

/** Offers fifty sales a second for ten seconds to ten desks, whether the ones before are answered or not. */
async function fiftyASecond(scene: Scene): Promise<SaleFigure> {
  const { calls, lines } = await told(scene, async () => {
    const made: Promise<Call>[] = [];
    const began = performance.now();
    for (let each = 0; each < 500; each++) {
      await pause(Math.max(0, began + each * 20 - performance.now()));
      const desk = scene.shop.desks[each % 10] ?? 0;
      made.push(sell(scene.client, smallCart(scene.shop, desk, scene.shop.products.length)));
    }
    return Promise.all(made);
  });
  return { ...figureOf('1..3 of 100 products, 50 a second at ten desks', calls), ...conflictsIn(lines) };
}

/**
 * Sells one product at twenty desks until nothing is left of a hundred pieces. Throws if they sold any other
 * number.
 */
async function lastHundred(scene: Scene): Promise<SaleFigure> {
  const { client, shop } = scene;
  const scarce = await addGoods(client, shop, 'Scarce');
  await receive(client, shop, [scarce], 100);
  const { calls, lines } = await told(scene, async () => {
    const desks = shop.desks.map(async (desk) => {
      const made: Call[] = [];
      while (made.at(-1)?.status !== 422) made.push(await sell(client, chequeOf(shop, desk, [scarce])));
      return made;
    });
    return (await Promise.all(desks)).flat();
  });
  const sold = calls.filter(({ status }) => status === 200).length;
  if (sold !== 100) throw new Error(`Twenty desks sold ${sold} of the last 100 pieces`);
  return { ...figureOf('the last 100 pieces of one product, twenty desks', calls), ...conflictsIn(lines) };
}

/** Makes calls, and finds the lines of the log about these calls. */
async function told(
  { service }: Scene,
  work: () => Promise<Call[]>,
): Promise<{ calls: Call[]; lines: Line[] }> {
  const before = service.lines.filter(({ route }) => route === ROUTE).length;
  const calls = await work();
  const lines = await linesOf(service, ROUTE, before + calls.length);
  return { calls, lines: lines.slice(before) };
}

async function sell(client: Client, json: object): Promise<Call> {
  const began = performance.now();
  const { status } = await client(ROUTE, json);
  return { status, ms: performance.now() - began };
}

function smallCart(shop: Shop, desk: number, among = 10): object {
  const first = Math.floor(Math.random() * (among - 3));
  return chequeOf(shop, desk, shop.products.slice(first, first + 1 + Math.floor(Math.random() * 3)));
}

function figureOf(what: string, calls: readonly Call[]) {
  const times = calls.map(({ ms }) => ms);
  return {
    what,
    calls: calls.length,
    failed: calls.filter(({ status }) => status !== 200 && status !== 422).length,
    p50_ms: quantile(times),
    p95_ms: quantile(times, 0.95),
  };
}

function conflictsIn(lines: readonly Line[]) {
  return { conflicts: lines.reduce((sum, { conflicts }) => sum + conflicts, 0) };
}
