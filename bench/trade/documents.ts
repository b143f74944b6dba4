import { type Client, clientWith, tokenOf } from '#bin/demo/client.ts';
import { isIn, type Staff } from '#lib/access/actor.ts';
import { identify } from '#lib/access/identify.ts';
import { readToken } from '#lib/access/tokens.ts';
import { linesOf, type MeasuredService, quantile, startMeasured } from '../service.ts';
import { type Shop, setUpShop } from '../shop.ts';

/** What one call about a document of many lines took. Times in milliseconds, over HTTP. */
export interface CallFigure {
  readonly status: number;
  readonly ms: number;
  readonly round_trips: number;
}

/** What such calls take. */
export interface DocumentFigure extends CallFigure {
  readonly what: string;
  /** As AWS bills them. */
  readonly written_units: number;
  /** Of those, on the partition key that has most. */
  readonly hottest?: number;
}

/** A service with a shop of so many goods, and its director. */
export interface TradeScene {
  readonly service: MeasuredService;
  readonly client: Client;
  readonly actor: Staff;
  readonly shop: Shop;
}

/** Starts a service with a shop of so many goods and desks, in which this process can work too. */
export async function setUpTrade(products: number, desks = 0): Promise<TradeScene> {
  const service = await startMeasured();
  Object.assign(process.env, service.settings);
  const token = await tokenOf(service.address, 'director');
  const actor = await identify(await readToken(token, Date.now()), Date.now());
  if (!isIn('company', actor)) throw new Error('A director is staff');
  const client = clientWith(service.address, token);
  return { service, client, actor, shop: await setUpShop(client, products, desks, 10_000) };
}

/** A call to be made: `route` is what the log names it by, if that isn't the request itself. */
interface Call {
  readonly request: string;
  readonly route?: string;
  readonly json?: object;
}

/** Makes so many calls, one after the other, each made up right before it. */
export async function measureCalls(
  scene: TradeScene,
  times: number,
  callOf: (turn: number) => Promise<Call> | Call,
): Promise<CallFigure[]> {
  const figures: CallFigure[] = [];
  for (let turn = 0; turn < times; turn++) figures.push(await measureCall(scene, await callOf(turn)));
  return figures;
}

/** Makes a call, and finds what the log says of it. */
export async function measureCall(
  { service, client }: TradeScene,
  { request, route = request, json }: Call,
): Promise<CallFigure> {
  const before = service.lines.filter((line) => line.route === route).length;
  const began = performance.now();
  const { status } = await client(request, json);
  const ms = Math.round(performance.now() - began);
  const line = (await linesOf(service, route, before + 1)).at(-1);
  return { status, ms, round_trips: line?.round_trips ?? 0 };
}

/** Sums up calls of one kind: the worst status, the median time, the most round trips. */
export function middleOf(calls: readonly CallFigure[]): CallFigure {
  return {
    status: Math.max(...calls.map(({ status }) => status)),
    ms: quantile(calls.map(({ ms }) => ms)),
    round_trips: Math.max(...calls.map(({ round_trips }) => round_trips)),
  };
}
