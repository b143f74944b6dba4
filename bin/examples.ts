import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { discoverRoutes } from '#infra/routes.ts';
import { takeArguments } from './cli/main.ts';
import { Example, makeExample, mergeExamples, TestCall } from './examples/example.ts';
import { router } from './local/router.ts';

/*
 * Records the examples of the reference: runs the API tests, captures requests and responses, and selects the
 * most informative call of each operation, with ids, times and secrets normalized. With names of test files
 * it runs only these, and adds missing examples: `npm run examples -- tests/functions/company`; an option
 * also replaces those of the operations they call, after a schema change.
 */

const FILE = join(import.meta.dirname, '../infra/reference/examples.json');

const USAGE = `npm run examples -- [--anew] [<test file>…]

Records requests and responses of the API tests as the examples of the reference. With names of test files it runs
only these, and adds missing examples; with --anew it replaces those of the operations they call. All tests take
an hour.`;

const { values, positionals: named } = takeArguments(USAGE, {
  options: { from: { type: 'string' }, anew: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const isWhole = named.length === 0;
const folder = values.from ?? mkdtempSync(join(tmpdir(), 'examples-'));
const failed = values.from === undefined && !runTests(isWhole ? ['tests/functions'] : named);
const recorded = readdirSync(folder).flatMap((file) =>
  readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => TestCall.parse(JSON.parse(line))),
);

const routes = await discoverRoutes();
const match = router(routes);
const operations = routes.flatMap(({ path, endpoints }) =>
  Object.entries(endpoints).map(([method, { metadata }]) => ({
    name: `${method} ${path}`,
    body: metadata.body,
  })),
);
const byOperation = Map.groupBy(recorded, ({ request }) => operationOf(request));
const held = isWhole ? {} : z.record(z.string(), Example).parse(JSON.parse(readFileSync(FILE, 'utf8')));
const examples = operations.flatMap(({ name, body }) => {
  const example = mergeExamples(held[name], makeExample(byOperation.get(name) ?? [], body), values.anew);
  return example.statuses.length > 0 ? [[name, example] as const] : [];
});
writeFileSync(FILE, linesOf(examples));
const known = new Set(examples.map(([name]) => name));
const silent = operations.filter(({ name }) => !known.has(name)).map(({ name }) => name);
process.stdout.write(`${recorded.length} calls, examples of ${examples.length} operations.\n`);
if (silent.length > 0) process.stdout.write(`Not called by any test:\n  ${silent.join('\n  ')}\n`);
if (failed) process.stdout.write(`Some tests failed. What was recorded is in ${folder}.\n`);
else if (values.from === undefined) rmSync(folder, { recursive: true });
process.exit(failed ? 1 : 0);

/** Serializes one operation a line, so that Git merges recordings of two branches. */
function linesOf(examples: readonly (readonly [string, unknown])[]): string {
  const lines = examples.map(([name, example]) => `${JSON.stringify(name)}:${JSON.stringify(example)}`);
  return `{\n${lines.sort().join(',\n')}\n}\n`;
}

function runTests(files: readonly string[]): boolean {
  // All projects that call operations as clients do: an operation called only elsewhere would lose its
  // examples.
  const projects = ['service', 'alone', 'with-stream', 'tools'].flatMap((name) => ['--project', name]);
  const env = { ...process.env, EXAMPLES_INTO: folder };
  return spawnSync('npx', ['vitest', 'run', ...projects, ...files], { stdio: 'inherit', env }).status === 0;
}

/** Returns the operation that serves a request. */
function operationOf(request: string): string {
  const [address = '', query = ''] = request.split('?');
  const [sent = '', path = ''] = address.split(' ');
  const method = new URLSearchParams(query).get('_method')?.toUpperCase() ?? sent;
  return match(method, path)?.key ?? '';
}
