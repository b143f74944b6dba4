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
from their own schemas: values that fit, values at the edges, and hostile ones. The clock goes on by five seconds
with every call, so that no limit is in the way. Every thousand calls there is a new company.

No answer may be 5xx, nor take over a second, five for images and workbooks. 503 is an answer where the payment
gateway is asked. What is slow counts if it is slow three times.

Calls follow one another, so the same seed makes the same calls in the same state. Tells each request that
failed, once for an operation and a status, and ends with 1 if there is any.`;

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
  const told = captureErrors();
  const service = await startService(0, undefined, clock, makeDemoData);
  const { ask, stop } = senderAt(service.address);
  const targets = fuzzTargetsOf(await discoverRoutes()).filter(({ name }) => name.includes(values.only));
  const files = await fuzzFiles();
  const failures = new Map<string, number>();
  const statuses = new Map<string, number>();
  say(`Seed ${seed}: ${targets.length} operations for ${values.seconds} seconds.`);

  const end = performance.now() + Number(values.seconds) * 1000;
  let scene = await newCallers(0, clock.now());
  let calls = 0;
  for (; performance.now() < end; calls++) {
    tick(calls);
    const target = targets[calls % targets.length];
    if (!target) throw new Error(`No operation has ${values.only} in its name`);
    const asked = await requestTo(target, scene, files, randomFrom(seed, `call ${calls}`));
    told.length = 0;
    const answer = await ask(asked);
    count(statuses, String(answer.status));
    const wrong = await faultOf(ask, asked, answer);
    if (wrong && count(failures, `${wrong} ${target.name}`) === 1) tell(calls, wrong, asked, answer, told);
    scene = await sceneAfter(scene, answer, calls + 1, clock.now());
  }
  await service.stop();
  stop();
  say(`${calls} calls: ${linesOf(statuses).sort().join(', ')}.`);
  for (const line of linesOf(failures)) say(line);
  say(failures.size === 0 ? 'No answer was 5xx or late.' : `Again: npm run fuzz -- --seed ${seed}`);
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

function tell(
  call: number,
  wrong: string,
  { method, path, headers, body }: FuzzRequest,
  answer: FuzzAnswer,
  errors: readonly string[],
): void {
  const { authorization, ...shown } = headers;
  say(`\nCall ${call} is ${wrong} after ${Math.round(answer.ms)} ms: ${method} ${path.slice(0, SHOWN)}`);
  say(`  ${JSON.stringify(shown).slice(0, SHOWN)}${authorization ? ', with a token' : ''}`);
  if (body) say(`  ${body.toString('utf8').slice(0, SHOWN)}`);
  say(`  → ${answer.body.slice(0, 300)}`);
  for (const error of errors.slice(-2)) say(`  ${error.slice(0, SHOWN)}`);
}

/** Captures the errors in the service's log, and suppresses the rest of its log. */
function captureErrors(): string[] {
  const heard: string[] = [];
  const write = process.stdout.write.bind(process.stdout);
  const hear = (line: string) => {
    if (!line.startsWith('{"level"')) return write(line);
    if (line.startsWith('{"level":"error"')) heard.push(line.trim());
    return true;
  };
  Object.assign(process.stdout, { write: hear });
  return heard;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
