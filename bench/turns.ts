import { basename, resolve } from 'node:path';
import { startProcess } from '#bin/local/process.ts';
import { fetchToken, type Person, personOf, type Reply } from '#bin/program/person.ts';
import type { Scale } from './kit/scale.ts';
import { quantile } from './kit/service.ts';
import { chequeOf, setUpShop } from './kit/shop.ts';

/** The middle time of one call in each checkout, in milliseconds over HTTP. */
type TurnsFigure = Readonly<Record<string, number | string>>;

type TimedCall = (turn: number) => Promise<Reply>;

/** A checkout of the project whose service runs, and the calls to be timed. */
interface Version {
  readonly name: string;
  readonly calls: ReadonlyMap<string, TimedCall>;
  stop(): Promise<void>;
}

const OFTEN = { warm: 50, times: 200 };

const SALES = [1, 10, 100];

/**
 * Compares versions of the service: `VERSIONS=../before,.` names their checkouts, each with its packages
 * installed. All run side by side and are called in turn, call by call, so that whatever the machine does
 * meanwhile falls on all of them alike.
 */
export async function measureTurns({ isSmallest }: Scale): Promise<TurnsFigure[]> {
  const named = process.env['VERSIONS'] ?? (isSmallest ? '.,.' : '');
  const turns = isSmallest ? { warm: 0, times: 1 } : OFTEN;
  const checkouts = named.split(',').filter(Boolean);
  if (checkouts.length < 2) throw new Error('Name the checkouts to compare: VERSIONS=../before,.');
  const versions = await Promise.all(checkouts.map(start));
  const figures: TurnsFigure[] = [];
  for (const call of versions[0]?.calls.keys() ?? []) figures.push(await compare(call, versions, turns));
  await Promise.all(versions.map(({ stop }) => stop()));
  return figures;
}

async function start(checkout: string): Promise<Version> {
  const path = resolve(checkout);
  const { address, stop } = await startProcess({}, { checkout: path });
  const client = personOf(address, await fetchToken(address, 'director'));
  return { name: basename(path), calls: await callsTo(client), stop };
}

async function callsTo(client: Person): Promise<Version['calls']> {
  const shop = await setUpShop(client, { products: Math.max(...SALES), desks: 1 });
  const brand = (turn: number) => ({ name: `Brand ${turn}`, image_old_keys: '[]' });
  return new Map<string, TimedCall>([
    ['make a brand', (turn) => client.send('POST /company/product/brand', brand(turn))],
    ['get a brand', () => client.send(`GET /company/product/brand/${shop.card.brand_id}`)],
    ['list brands', () => client.send('GET /company/product/brand')],
    ...SALES.map((lines): [string, TimedCall] => {
      const json = chequeOf(shop, shop.desks[0] ?? 0, shop.products.slice(0, lines));
      return [`sell ${lines} lines`, () => client.send('POST /company/trade/sale', json)];
    }),
  ]);
}

async function compare(
  call: string,
  versions: readonly Version[],
  { warm, times: measured }: typeof OFTEN,
): Promise<TurnsFigure> {
  const times = new Map<Version, number[]>(versions.map((version) => [version, []]));
  for (let turn = 0; turn < warm + measured; turn++) {
    // Nobody is always the first, which finds the machine's caches as another version has left them.
    const first = turn % versions.length;
    for (const version of [...versions.slice(first), ...versions.slice(0, first)]) {
      const began = performance.now();
      const reply = await version.calls.get(call)?.(turn);
      if (reply?.status !== 200) throw new Error(`${version.name} answers ${reply?.status} to ${call}`);
      if (turn >= warm) times.get(version)?.push(performance.now() - began);
    }
  }
  return {
    call,
    ...Object.fromEntries([...times].map(([{ name }, all]) => [name, quantile(all)])),
  };
}
