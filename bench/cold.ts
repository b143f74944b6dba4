import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { type Bundles, bundleFunctions } from '#infra/bundle/bundle-functions.ts';
import { BUNDLING, ROOT } from '#infra/bundle/settings.ts';
import { functionsOf } from '#infra/route-functions.ts';
import { discoverRoutes, discoverWorkers } from '#infra/routes.ts';
import { FIRST_MINUTE, isMetFirst } from '#infra/warm.ts';
import type { Scale } from './kit/scale.ts';

/** The cost of a function before its first call: its code's size, and its import in a process of its own. */
export interface ColdFigure {
  readonly function: string;
  readonly bytes: number;
  readonly import_ms: number;
  readonly fastest_ms: number;
  /** Its median import over that of a handler with only the DynamoDB document client. */
  readonly to_hello_world: number;
}

const RUNS = 11;

/** So many functions stand for all of them in the smallest bench. */
const FEWEST = 3;

const HELLO_WORLD = 'hello world';

// Bundled like the functions, but with all of the SDK: what anyone would begin with.
const HELLO_WORLD_SOURCE = `
  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
  const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  export const handler = ({ pk, sk }) => dynamo.send(new GetCommand({ TableName: 'table', Key: { pk, sk } }));`;

const run = promisify(execFile);

/** Measures every function. */
export async function measureCold(scale: Scale): Promise<ColdFigure[]> {
  const all = { routes: await discoverRoutes(), workers: discoverWorkers() };
  const { routes, workers } = scale.isSmallest
    ? { routes: all.routes.slice(0, FEWEST), workers: all.workers.slice(0, 1) }
    : all;
  return measureBundles(await bundleFunctions(routes, workers, '.build/bench/functions'), scale);
}

/** Measures the functions that a till meets in its first minute of a morning, named by what they serve. */
export async function measureFirstMinute(scale: Scale): Promise<ColdFigure[]> {
  const met = (await discoverRoutes()).flatMap((route) =>
    functionsOf(route)
      .map(({ method }) => ({ route, operation: `${method} ${route.path}` }))
      .filter(({ operation }) => isMetFirst(operation)),
  );
  const routes = [...new Set(met.map(({ route }) => route))];
  const bundles = await bundleFunctions(routes, [], '.build/bench/first-minute');
  const named = FIRST_MINUTE.flatMap((operation) => {
    const file = met.find((each) => each.operation === operation)?.route.file;
    const bundle = file === undefined ? undefined : bundles.get(file);
    return bundle ? [[operation, bundle] as const] : [];
  });
  return measureBundles(new Map(named), scale);
}

/** Measures bundles beside the hello-world, by turns, so that a busy moment hits all alike. */
async function measureBundles(bundles: Bundles, { isSmallest }: Scale): Promise<ColdFigure[]> {
  const files = new Map([
    [HELLO_WORLD, await bundleHelloWorld()],
    ...[...bundles].map(([name, { directory }]): [string, string] => [name, join(directory, 'index.mjs')]),
  ]);
  const times = new Map([...files.keys()].map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < (isSmallest ? 1 : RUNS); round++) {
    for (const [name, file] of files) times.get(name)?.push(await importTime(file));
  }
  const floor = median(times.get(HELLO_WORLD) ?? []);
  const figures = await Promise.all(
    [...files].map(async ([name, file]) => {
      const { size } = await stat(file);
      return figureOf(name, size, times.get(name) ?? [], floor);
    }),
  );
  return [...figures, middleOf(figures.slice(1), floor)];
}

async function bundleHelloWorld(): Promise<string> {
  const outfile = join(ROOT, '.build/bench/hello-world/index.mjs');
  await build({ ...BUNDLING, stdin: { contents: HELLO_WORLD_SOURCE, resolveDir: ROOT }, outfile });
  return outfile;
}

async function importTime(file: string): Promise<number> {
  const program = `const began = performance.now();
    await import(${JSON.stringify(pathToFileURL(file).href)});
    process.stdout.write(String(performance.now() - began));`;
  const env = { ...process.env, AWS_REGION: 'us-east-1' };
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { env });
  return Number(stdout);
}

function figureOf(name: string, bytes: number, times: readonly number[], floor: number): ColdFigure {
  return {
    function: name,
    bytes,
    import_ms: round(median(times)),
    fastest_ms: round(Math.min(...times)),
    to_hello_world: round(median(times) / floor),
  };
}

/** Makes one more row, the median of all functions. */
function middleOf(figures: readonly ColdFigure[], floor: number): ColdFigure {
  const middle = (of: (figure: ColdFigure) => number) => median(figures.map(of));
  return {
    function: 'median of the functions',
    bytes: middle(({ bytes }) => bytes),
    import_ms: middle(({ import_ms }) => import_ms),
    fastest_ms: middle(({ fastest_ms }) => fastest_ms),
    to_hello_world: round(middle(({ import_ms }) => import_ms) / floor),
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
