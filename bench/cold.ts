import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bundles } from '#infra/bundle/bundle-functions.ts';
import { currentBundles } from '#infra/bundle/current-bundles.ts';
import { functionsOf } from '#infra/route-functions.ts';
import { discoverRoutes, discoverWorkers, type Route, type WorkerFile } from '#infra/routes.ts';
import { FIRST_MINUTE, isFirstMinute } from '#infra/warm.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';
import { bundleHelloWorld, type Code, importTime } from './support/code.ts';
import type { Scale } from './support/scale.ts';
import { quantile } from './support/service.ts';

/**
 * Cost of a function before its first request: the size of its code, and its import in a process of its own.
 */
export interface ColdFigure {
  readonly function: string;
  readonly bytes: number;
  /** CPU time, regardless of other load: the median of all rounds. */
  readonly cpu_ms: number;
  readonly fastest_ms: number;
  /** Its median import relative to that of a handler with only the DynamoDB document client. */
  readonly to_hello_world: number;
}

type Times = ReadonlyMap<string, number[]>;

/** Rounds in which every function is measured alternately, then further ones for selected functions. */
const ROUNDS = { ofAll: 3, ofSome: 8 };

/** Number of the heaviest functions selected, beside those that a till calls first. */
const HEAVIEST = 12;

/** All are compared with the hello-world, so it is measured once per this many functions. */
const TO_A_HELLO_WORLD = 20;

const AT_ONCE = 2;

/** Number of routes that represent all in the smallest run. */
const FEWEST = 3;

const HELLO_WORLD = 'hello world';

/** Measures every function, and more often those that a till calls first, and the heaviest. */
export async function measureCold({ isSmallest }: Scale): Promise<ColdFigure[]> {
  const all = { routes: await discoverRoutes(), workers: discoverWorkers() };
  const { routes, workers } = isSmallest
    ? { routes: all.routes.slice(0, FEWEST), workers: all.workers.slice(0, 1) }
    : all;
  const codes = await codesOf(routes, workers);
  const times = await timesOf(codes, isSmallest ? 1 : ROUNDS.ofAll);
  if (!isSmallest) await measureRounds(selectFunctions(codes, times), times, ROUNDS.ofSome);
  const figures = await figuresOf(codes, times);
  return [...figures, middleOf(figures.slice(1))];
}

/** Measures the functions that a till calls in its first minute of a morning. */
export async function measureFirstMinute({ isSmallest }: Scale): Promise<ColdFigure[]> {
  const routes = (await discoverRoutes()).filter((route) =>
    functionsOf(route).some(({ method }) => isFirstMinute(`${method} ${route.path}`)),
  );
  const codes = await codesOf(routes, []);
  const met = new Map([HELLO_WORLD, ...FIRST_MINUTE].flatMap((name) => entryOf(codes, name)));
  return figuresOf(met, await timesOf(met, isSmallest ? 1 : ROUNDS.ofSome));
}

/** Returns the code of functions by operation, preceded by the hello-world. */
async function codesOf(
  routes: readonly Route[],
  workers: readonly WorkerFile[],
): Promise<ReadonlyMap<string, Code>> {
  const bundles = await currentBundles();
  return new Map([
    [HELLO_WORLD, await bundleHelloWorld()],
    ...routes.flatMap((route) =>
      functionsOf(route).map(({ method }): [string, Code] => [
        `${method} ${route.path}`,
        codeOf(bundles, route.file, method),
      ]),
    ),
    ...workers.map(({ file }): [string, Code] => [file, codeOf(bundles, file, 'handler')]),
  ]);
}

function codeOf(bundles: Bundles, file: string, handler: string): Code {
  return { file: join(bundles.get(file)?.directory ?? '', 'index.mjs'), handler };
}

async function timesOf(codes: ReadonlyMap<string, Code>, rounds: number): Promise<Times> {
  const times = new Map([...codes.keys()].map((name): [string, number[]] => [name, []]));
  await measureRounds(codes, times, rounds);
  return times;
}

/** Imports functions alternately, so that other load affects all alike. */
async function measureRounds(codes: ReadonlyMap<string, Code>, times: Times, rounds: number): Promise<void> {
  const hello = entryOf(codes, HELLO_WORLD);
  const others = [...codes].filter(([name]) => name !== HELLO_WORLD);
  const turns = splitEvery(others, TO_A_HELLO_WORLD).flatMap((piece) => [...hello, ...piece]);
  for (let round = 0; round < rounds; round++) {
    await mapConcurrent(turns, AT_ONCE, async ([name, code]) =>
      times.get(name)?.push(await importTime(code)),
    );
  }
}

/** Selects the functions that a till calls first, and the heaviest. */
function selectFunctions(codes: ReadonlyMap<string, Code>, times: Times): ReadonlyMap<string, Code> {
  const byTime = [...times].toSorted(([, a], [, b]) => quantile(b) - quantile(a)).map(([name]) => name);
  const names = new Set([HELLO_WORLD, ...byTime.filter(isFirstMinute), ...byTime.slice(0, HEAVIEST)]);
  return new Map([...names].flatMap((name) => entryOf(codes, name)));
}

function entryOf(codes: ReadonlyMap<string, Code>, name: string): [string, Code][] {
  const code = codes.get(name);
  return code ? [[name, code]] : [];
}

async function figuresOf(codes: ReadonlyMap<string, Code>, times: Times): Promise<ColdFigure[]> {
  const floor = quantile(times.get(HELLO_WORLD) ?? []);
  return Promise.all(
    [...codes].map(async ([name, { file }]) => {
      const taken = times.get(name) ?? [];
      return {
        function: name,
        bytes: (await stat(file)).size,
        cpu_ms: quantile(taken),
        fastest_ms: round(Math.min(...taken)),
        to_hello_world: round(quantile(taken) / floor),
      };
    }),
  );
}

/** Returns one more row, the median of all functions. */
function middleOf(figures: readonly ColdFigure[]): ColdFigure {
  const middle = (of: (figure: ColdFigure) => number) => quantile(figures.map(of));
  return {
    function: 'median of the functions',
    bytes: middle(({ bytes }) => bytes),
    cpu_ms: middle(({ cpu_ms }) => cpu_ms),
    fastest_ms: middle(({ fastest_ms }) => fastest_ms),
    to_hello_world: middle(({ to_hello_world }) => to_hello_world),
  };
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
