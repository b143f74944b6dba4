import { listCalls, type Stock, type TimedCall } from './compare/calls.ts';
import { type Checkout, startCheckouts } from './compare/checkout.ts';
import { expectAnswer } from './support/expected-call.ts';
import type { Scale } from './support/scale.ts';
import { quantile } from './support/service.ts';

/**
 * A call with the median time of each checkout in milliseconds over HTTP; for concurrent callers, the
 * responses per second and the 99th percentile. `ratio` is the last checkout's time over the first one's, the
 * median of all turns.
 */
type TurnsFigure = Readonly<Record<string, number | string>>;

/** Measurements of a version: the times of its calls, and its figure of each turn. */
interface Measurements {
  readonly times: number[];
  readonly turns: number[];
}

/** Rounds for concurrent callers, each with a part of their calls. */
const ROUNDS = 4;

/**
 * Compares versions of the service: `VERSIONS=../before,.` names their checkouts, each with its packages
 * installed. All run concurrently and are called alternately, call by call, so that other load affects all
 * alike; concurrent callers alternate by round. `CALLS=page` measures only calls with this in their names,
 * `SHARE=0.2` runs a fifth of all.
 */
export async function measureVersions({ isSmallest }: Scale): Promise<TurnsFigure[]> {
  const checkouts = (process.env['VERSIONS'] ?? (isSmallest ? '.,.' : '')).split(',').filter(Boolean);
  if (checkouts.length < 2) throw new Error('Name the checkouts to compare: VERSIONS=../before,.');
  const calls = listCalls()
    .filter(({ name }) => name.includes(process.env['CALLS'] ?? ''))
    .map((call) => shorten(call, isSmallest));
  const versions = await startCheckouts(checkouts, isSmallest ? LEAST : stockFor(calls));
  const figures: TurnsFigure[] = [];
  for (const call of calls) figures.push(await compare(call, versions));
  await Promise.all(versions.map(({ stop }) => stop()));
  return figures;
}

/** At the smallest size two callers are concurrent, each with a hundred products of their own. */
const LEAST: Stock = { goods: 200, sales: 60 };

function stockFor(calls: readonly TimedCall[]): Stock {
  const max = (what: keyof Stock) => Math.max(...calls.map(({ needs }) => needs[what] ?? 0));
  return { goods: Math.max(1, max('goods')), sales: max('sales') };
}

function shorten(call: TimedCall, isSmallest: boolean): TimedCall {
  if (isSmallest) return { ...call, callers: Math.min(2, call.callers), warm: 0, times: 1 };
  const share = Number(process.env['SHARE'] ?? 1);
  return { ...call, warm: Math.ceil(call.warm * share), times: Math.ceil(call.times * share) };
}

async function compare(call: TimedCall, versions: readonly Checkout[]): Promise<TurnsFigure> {
  const { name, callers, warm, times } = call;
  const rounds = callers === 1 ? times : Math.min(ROUNDS, times);
  const each = Math.ceil(times / rounds);
  if (warm > 0) await playRound(call, versions, { number: 0, first: 0, count: warm });
  const taken = versions.map((): Measurements => ({ times: [], turns: [] }));
  for (let number = 0; number < rounds; number++) {
    const played = await playRound(call, versions, { number, first: warm + number * each, count: each });
    for (const [index, turn] of played.entries()) {
      taken[index]?.times.push(...turn);
      taken[index]?.turns.push(turn.reduce((sum, time) => sum + time, 0));
    }
  }
  const figures = versions.map((version, index) => [version.name, figureOf(call, taken[index] ?? NOTHING)]);
  return { call: name, ...Object.fromEntries(figures), ratio: ratioOf(taken) };
}

const NOTHING: Measurements = { times: [], turns: [] };

interface Round {
  readonly number: number;
  /** Number of the first call, and calls per caller. */
  readonly first: number;
  readonly count: number;
}

/** Has each version make the calls of a round; returns the times of each. */
async function playRound(
  call: TimedCall,
  versions: readonly Checkout[],
  { number, first, count }: Round,
): Promise<number[][]> {
  const played = new Map<Checkout, number[]>();
  // The first version rotates, as it finds the machine's caches as another version has left them.
  const leads = number % versions.length;
  for (const version of [...versions.slice(leads), ...versions.slice(0, leads)]) {
    const callers = Array.from({ length: call.callers }, async (_, caller) => {
      const times: number[] = [];
      while (times.length < count) times.push(await time(call, version, caller, first + times.length));
      return times;
    });
    played.set(version, (await Promise.all(callers)).flat());
  }
  return versions.map((version) => played.get(version) ?? []);
}

async function time(
  { name, of }: TimedCall,
  version: Checkout,
  caller: number,
  turn: number,
): Promise<number> {
  const call = of(version, caller, turn);
  const began = performance.now();
  await expectAnswer(version.client, call).catch((cause: unknown) => {
    throw new Error(`${version.name}, ${name}`, { cause });
  });
  return performance.now() - began;
}

function figureOf({ callers }: TimedCall, { times, turns }: Measurements): number | string {
  if (callers === 1) return quantile(times);
  // All callers run until each has its last response, so the sum of their times is the elapsed time
  // multiplied by the callers.
  const seconds = turns.reduce((sum, turn) => sum + turn, 0) / callers / 1000;
  const rate = times.length / seconds;
  return `${rate.toFixed(rate < 10 ? 2 : 0)} a second, p99 ${Math.round(quantile(times, 0.99))}`;
}

/** Returns the median ratio of the last version's turns to the first one's. */
function ratioOf(taken: readonly Measurements[]): number {
  const [first, last] = [taken[0]?.turns ?? [], taken.at(-1)?.turns ?? []];
  return quantile(last.map((turn, index) => turn / (first[index] ?? Number.NaN)));
}
