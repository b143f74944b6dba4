import { takeArguments } from '#bin/cli/main.ts';
import { newClock } from '#bin/local/clock.ts';
import { makeDemoData } from '#bin/local/demo-data.ts';
import { startService } from '#bin/local/service.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { type Callers, newCallers, renewTokens } from './fuzz/callers.ts';
import { fuzzFiles } from './fuzz/files.ts';
import { type FuzzRequest, requestTo } from './fuzz/request.ts';
import { type FuzzAnswer, faultOf, senderAt } from './fuzz/send.ts';
import { fuzzTargetsOf } from './fuzz/target.ts';
import { randomFrom } from './support/random.ts';

/* Fuzzes every operation: no response to any request is 5xx, and none takes long. */

const USAGE = `npm run fuzz -- [--seconds 600] [--seed <number>] [--only <part of an operation's name>]

Starts a service in memory and calls all its operations in turn with path, query, body, headers and forms drawn
from their own schemas: valid values, edge cases, and hostile ones. The clock advances by five seconds with
every call, so that no rate limit applies. Every thousand calls a new company is created.

No answer may be 5xx, nor take over a second, five for images and workbooks. 503 is allowed where the payment
gateway is called. A slow response counts if it is slow three times.

Calls follow one another, so the same seed makes the same calls in the same state. Prints each failed
request, once per operation and status, and exits with 1 if any failed.`;

const SCENE_CALLS = 1000;
const STEP_MS = 5000;
const BEGINNING = Date.parse('2026-12-01T05:00:00Z');
const SHOWN = 1500;

const { values } = takeArguments(USAGE, {
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    only: { type: 'string', default: '' },
  },
});

process.exit((await run()) > 0 ? 1 : 0);

async function run(): Promise<number> {
  const seed = Number(values.seed);
  const clock = newClock();
  const tick = (calls: number) => clock.set(BEGINNING + calls * STEP_MS);
  tick(0);
  const errors = captureErrors();
  const service = await startService(0, undefined, clock, makeDemoData);
  const { ask, stop } = senderAt(service.address);
  const targets = fuzzTargetsOf(await discoverRoutes()).filter(({ name }) => name.includes(values.only));
  const files = await fuzzFiles();
  const failures = new Map<string, number>();
  const statuses = new Map<string, number>();
  print(`Seed ${seed}: ${targets.length} operations for ${values.seconds} seconds.`);

  const end = performance.now() + Number(values.seconds) * 1000;
  let scene = await newCallers(0, clock.now());
  let calls = 0;
  for (; performance.now() < end; calls++) {
    tick(calls);
    const target = targets[calls % targets.length];
    if (!target) throw new Error(`No operation has ${values.only} in its name`);
    const request = await requestTo(target, scene, files, randomFrom(seed, `call ${calls}`));
    errors.length = 0;
    const answer = await ask(request);
    count(statuses, String(answer.status));
    const wrong = await faultOf(ask, request, answer);
    if (wrong && count(failures, `${wrong} ${target.name}`) === 1)
      reportFailure(calls, wrong, request, answer, errors);
    scene = await sceneAfter(scene, answer, calls + 1, clock.now());
  }
  await service.stop();
  stop();
  print(`${calls} calls: ${linesOf(statuses).sort().join(', ')}.`);
  for (const line of linesOf(failures)) print(line);
  print(failures.size === 0 ? 'No answer was 5xx or late.' : `Again: npm run fuzz -- --seed ${seed}`);
  return failures.size;
}

function linesOf(counts: ReadonlyMap<string, number>): string[] {
  return [...counts].map(([what, times]) => `${what} × ${times}`);
}

/** Continues in the same company, with new tokens if a request has ended a session; or in a new one. */
async function sceneAfter(
  scene: Callers,
  { status }: FuzzAnswer,
  calls: number,
  at: number,
): Promise<Callers> {
  if (calls % SCENE_CALLS === 0) return newCallers(calls, at);
  if (status !== 401) return scene;
  return (await renewTokens(scene, at)) ?? newCallers(calls, at);
}

function count(counts: Map<string, number>, what: string): number {
  const times = (counts.get(what) ?? 0) + 1;
  counts.set(what, times);
  return times;
}

function reportFailure(
  call: number,
  wrong: string,
  { method, path, headers, body }: FuzzRequest,
  answer: FuzzAnswer,
  errors: readonly string[],
): void {
  const { authorization, ...shown } = headers;
  print(`\nCall ${call} is ${wrong} after ${Math.round(answer.ms)} ms: ${method} ${path.slice(0, SHOWN)}`);
  print(`  ${JSON.stringify(shown).slice(0, SHOWN)}${authorization ? ', with a token' : ''}`);
  if (body) print(`  ${body.toString('utf8').slice(0, SHOWN)}`);
  print(`  → ${answer.body.slice(0, 300)}`);
  for (const error of errors.slice(-2)) print(`  ${error.slice(0, SHOWN)}`);
}

/** Captures the errors in the service's log, and suppresses the rest of its log. */
function captureErrors(): string[] {
  const errors: string[] = [];
  const write = process.stdout.write.bind(process.stdout);
  const capture = (line: string) => {
    if (!line.startsWith('{"level"')) return write(line);
    if (line.startsWith('{"level":"error"')) errors.push(line.trim());
    return true;
  };
  Object.assign(process.stdout, { write: capture });
  return errors;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
