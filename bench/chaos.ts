import { setTimeout as pause } from 'node:timers/promises';
import { takeArguments } from '#bin/cli/main.ts';
import { newClock } from '#bin/local/clock.ts';
import { startData } from '#bin/local/data.ts';
import { makeDemoData } from '#bin/local/demo-data.ts';
import { LOCAL_GATEWAY_SECRET, startGateway } from '#bin/local/gateway/simulator.ts';
import { startServer } from '#bin/local/server.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { waitForCredits } from './chaos/billing.ts';
import { checkBooks, countCutOff, countDisagreements } from './chaos/books.ts';
import { work } from './chaos/client.ts';
import { newChaosFamily } from './chaos/family.ts';
import { disturb, takeTableAway } from './chaos/faults.ts';
import { type ChaosRun, type FleetSlot, startFleet } from './chaos/fleet.ts';
import { HalfSeen } from './chaos/half-seen.ts';
import { type Log, newLog } from './chaos/log.ts';
import type { RunHistory } from './chaos/perform.ts';
import { waitForRepricings } from './chaos/plans.ts';
import { hideBriefly } from './chaos/queues.ts';
import { repeatAll } from './chaos/repeat.ts';
import { rollupUpdatesText } from './chaos/rollups.ts';
import {
  countDifferences,
  countNews,
  type FamilyReplicas,
  keepSyncing,
  newReplicas,
  readFromStart,
} from './chaos/sync/replicas.ts';
import {
  type ReceivedEvents,
  startReceiving,
  subscribeToSales,
  waitForRevisions,
} from './chaos/webhook-receiver.ts';
import { randomFrom } from './support/random.ts';

/* Runs a shop under all supported faults, and checks its books afterwards. */

const USAGE = `npm run chaos -- [--seconds 600] [--seed <number>] [--apis 4] [--clients 16] [--families 2]
                 [--no-faults]

Runs processes of the API, of workers and of what folds for reports on one local table, each behind proxies
that lose, double, delay, mute, fail and refuse its calls to the table and to the queues, leave a part of what
it reads, and show others a part of a tenth of its transactions before the rest. In runs of three minutes or
more nobody reaches the table for half a minute, twice. Kills processes, freezes them for longer than a lease
and at times longer than a call lives, and sets their clocks up to five seconds wrong. Clients sell (some on
debt, from deposits, with bonuses or marks, with services and VAT, some cheques of 110 lines, some as a till
that was without a network), take cheques back and exchange goods of them, correct how they were paid, hold
goods, add to holds, cancel and sell them, receive, correct costs, write off, send to another warehouse, where
not all arrives, count, reprice now and from a minute on, also by type, pay suppliers and debts, adjust what is
owed, write it off and reverse that, take and pay out deposits, move, change and collect money, open and close
shifts in every second family, cancel much of it, move a desk from branch to branch, pay the subscription, whose
gateway reports a payment late, twice or wrongly, tend cards, rates, drafts and webhooks, and look at lists and
reports, which must be possible at any moment. A credit system sells through its own API. 70 % of their calls
have an Idempotency-Key and are repeated at any process until answered.

Afterwards the books are checked as npm run verify does, once as they were left and once after workers have
ended what was cut off. Copies are as the lists are. A receiver of webhooks, which fails at a tenth of what
comes, has heard of the last revision of every sale, hold, transfer, count, debt, write-off of one, entry of a
deposit, cost correction and balance. Every acknowledged call with a key is sent once more: it gives its first
answer, and changes nothing. What clients were told is compared with what was done: what was acknowledged is
done once, what was refused is not done, and nothing is done twice.

The seed is printed. It decides what is tried and what goes wrong, but not when: processes run as they will.
Everything that happened is in .local/chaos-<seed>.log. Ends with 1 and the history of the records concerned
if there is a violation.`;

/** Maximum violations of a kind printed in full. */
const MAX_PRINTED = 20;

/** Process without a substitute: no other runs its work. */
const WORKERS = 'workers';

const { values } = takeArguments(USAGE, {
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    apis: { type: 'string', default: '4' },
    clients: { type: 'string', default: '16' },
    families: { type: 'string', default: '2' },
    'no-faults': { type: 'boolean', default: false },
  },
});

process.exit((await run()) > 0 ? 1 : 0);

async function run(): Promise<number> {
  const seed = Number(values.seed);
  say(`Seed ${seed}: npm run chaos -- --seed ${seed} --seconds ${values.seconds}`);
  const log = newLog(seed);
  const scope = { seed, log, net: { isFaulty: false, isTableAway: false, halfSeen: new HalfSeen() } };
  const data = await startData(undefined);
  // Processes come and go: no address of theirs would be valid for long.
  // Clients report payments as the gateway would, which takes orders alone.
  const gateway = await startGateway(() => '');
  Object.assign(data.settings, { GATEWAY_URL: gateway.address, GATEWAY_SECRET: LOCAL_GATEWAY_SECRET });
  Object.assign(process.env, data.settings, { LOG_LEVEL: 'silent', ADDRESS: 'http://localhost' });
  await hideBriefly(data.queueUrls);
  await makeDemoData(Date.now());
  const places = await startFleet(data.settings, Number(values.apis), scope);
  const hearing = await startReceiving(randomFrom(seed, 'receiver'));
  // All routes, in this process, which has no faults.
  const server = await startServer(await discoverRoutes(), data.readFile, newClock(), 0);
  const copies = await makeScenes(server.address, Number(values.families), hearing, log);
  const record = await workAll(places, copies, scope);
  // Callers have given up on the requests still running there.
  await Promise.all(places.map((place) => place.end()));
  await Promise.all(places.map((place) => place.drain()));
  say(countsText(log.counts, record));
  say(await rollupUpdatesText(copies.map(({ family }) => family.familyId)));
  const violations = await countViolations(server.address, { places, copies, hearing, record, log });
  say(`${violations} violations. Seed ${seed}; all that happened: ${log.file}`);
  await Promise.all([hearing.stop(), server.stop(), ...places.map((place) => place.stop())]);
  await gateway.stop();
  await data.stop();
  return violations;
}

/** Finished run. */
interface Ended {
  readonly places: readonly FleetSlot[];
  readonly copies: readonly FamilyReplicas[];
  readonly hearing: ReceivedEvents;
  readonly record: RunHistory;
  readonly log: Log;
}

/**
 * Checks the state left by the run, then the state left by workers without faults and without help from
 * elsewhere. Prints violations and returns their number.
 */
async function countViolations(address: string, ended: Ended): Promise<number> {
  const { places, copies, record, log } = ended;
  const scenes = copies.map(({ family }) => family);
  const asLeft = await checkBooks(scenes, 'as it was left');
  await places.find(({ name }) => name === WORKERS)?.start({ LAST_LIFE: 'true' });
  const cutOff = await countCutOff();
  const owed = await countUncredited(record);
  const planned = await countUnstarted();
  const unlike = await countDifferences(address, copies);
  const missing = await countMissingRevisions(address, ended);
  const changed = await countChangedResponses(address, record);
  const news = await countNews(address, copies);
  const books = await checkBooks(scenes, 'after what was cut off has ended');
  const untrue = await countDisagreements(record, scenes, log.file);
  return asLeft + cutOff + owed + planned + unlike + missing + changed + news + books + untrue;
}

/** Runs all clients and readers under faults until the end. */
async function workAll(
  places: readonly FleetSlot[],
  copies: readonly FamilyReplicas[],
  scope: ChaosRun,
): Promise<RunHistory> {
  const { seed, log, net } = scope;
  const record: RunHistory = { begun: [], outcomes: [], wrong: [], floors: new Map() };
  const end = performance.now() + Number(values.seconds) * 1000;
  const isTime = () => performance.now() >= end;
  net.isFaulty = !values['no-faults'];
  const scenes = copies.map(({ family }) => family);
  const clients = Array.from({ length: Number(values.clients) }, (_, index) => {
    const name = `client-${index + 1}`;
    return work({ places, log, chance: randomFrom(seed, name) }, scenes, name, record, isTime);
  });
  const reading = copies.flatMap(({ readers }) =>
    readers.map((reader) => keepSyncing(reader, places, randomFrom(seed, reader.name), isTime)),
  );
  const seconds = Number(values.seconds);
  await (net.isFaulty
    ? Promise.all([disturb(places, scope, isTime), takeTableAway(seconds, scope, isTime)])
    : pause(seconds * 1000));
  net.isFaulty = false;
  await Promise.all([...clients, ...reading]);
  return record;
}

function countsText(counts: ReadonlyMap<string, number>, { outcomes, begun }: RunHistory): string {
  const of = (outcome: string) => outcomes.filter((each) => each.outcome === outcome).length;
  const kinds = Map.groupBy(begun, ({ kind }) => kind);
  const done = Map.groupBy(outcomes, ({ operation, outcome }) => `${operation.kind} ${outcome}`);
  const operations = [...kinds].map(
    ([kind, all]) => `${all.length} of ${kind} (${done.get(`${kind} done`)?.length ?? 0} done)`,
  );
  const calls = [...counts].toSorted(([a], [b]) => a.localeCompare(b));
  return [
    `${begun.length} operations: ${operations.join(', ')}.`,
    `${of('done')} done, ${of('refused')} refused, ${of('unknown')} unknown.`,
    ...calls.map(([what, count]) => `  ${String(count).padStart(6)} ${what}`),
  ].join('\n');
}

/** Creates shops, each with a webhook and its replicas' readers. */
async function makeScenes(
  address: string,
  count: number,
  hearing: ReceivedEvents,
  log: Log,
): Promise<FamilyReplicas[]> {
  const copies: FamilyReplicas[] = [];
  while (copies.length < count) {
    const scene = await newChaosFamily(address, copies.length % 2 === 1);
    copies.push(await newReplicas(address, scene, log));
    await subscribeToSales(address, hearing, scene);
  }
  return copies;
}

/** Prints the payments reported as paid that were not credited, and returns their number. */
async function countUncredited(record: RunHistory): Promise<number> {
  const left = await waitForCredits(record);
  for (const each of left) say(`No worker has credited payment ${each}`);
  return left.length;
}

/** Prints the planned repricings that were not made, and returns their number. */
async function countUnstarted(): Promise<number> {
  const left = await waitForRepricings();
  for (const { familyId, id } of left) say(`No worker has made repricing ${id} of family ${familyId}`);
  return left.length;
}

/** Repeats acknowledged calls that had a key, prints differing responses and returns their number. */
async function countChangedResponses(address: string, record: RunHistory): Promise<number> {
  const { count, wrong } = await repeatAll(address, record);
  say(`${count} calls with a key were sent again: ${wrong.length} answers are others than at first.`);
  for (const each of wrong.slice(0, MAX_PRINTED)) say(`  Again: ${each}`);
  return wrong.length;
}

/** Prints whether the receiver has the last revision of every record, and returns the number missing. */
async function countMissingRevisions(
  address: string,
  { hearing, copies, log }: Pick<Ended, 'hearing' | 'copies' | 'log'>,
): Promise<number> {
  const families = await Promise.all(
    copies.map(async ({ family: { familyId }, readers: [director], before }) => {
      return { familyId, entries: await readFromStart(address, director, log), before };
    }),
  );
  const { count, missing } = await waitForRevisions(hearing, families);
  say(`The receiver was told the last of ${count - missing.length} of ${count} records.`);
  for (const each of missing.slice(0, MAX_PRINTED)) say(`  It never heard of ${each}`);
  return missing.length;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
