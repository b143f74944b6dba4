import { setTimeout as pause } from 'node:timers/promises';
import { takeArguments } from '#bin/cli/main.ts';
import { newClock } from '#bin/local/clock.ts';
import { startData } from '#bin/local/data.ts';
import { makeDemoData } from '#bin/local/demo-data.ts';
import { startServer } from '#bin/local/server.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { countViolations } from './chaos/books.ts';
import { work } from './chaos/client.ts';
import { type ChaosFamily, newChaosFamily } from './chaos/family.ts';
import { disturb } from './chaos/faults.ts';
import { type ChaosRun, type FleetSlot, startFleet } from './chaos/fleet.ts';
import { HalfSeen } from './chaos/half-seen.ts';
import { type Log, newLog } from './chaos/log.ts';
import type { RunHistory } from './chaos/perform.ts';
import { rollupUpdatesText } from './chaos/rollups.ts';
import { countDifferences, type FamilyReplicas, keepSyncing, newReplicas } from './chaos/sync/replicas.ts';
import {
  type ReceivedEvents,
  startReceiving,
  subscribeToSales,
  waitForSales,
} from './chaos/webhook-receiver.ts';
import { randomFrom } from './support/random.ts';

/* Lets a shop work while everything goes wrong that can, and checks its books afterwards. */

const USAGE = `npm run chaos -- [--seconds 600] [--seed <number>] [--apis 4] [--clients 16] [--families 2]
                 [--no-faults]

Runs processes of the API, of workers and of what folds for reports on one local table, each behind a proxy
that loses, doubles, delays, mutes and fails calls to the table, and shows others a part of a tenth of its
transactions before the rest. Kills processes, freezes them for longer than a lease and at times longer than a
call lives, and sets their clocks up to five seconds wrong. Clients sell (a third on debt, some cheques of 110
lines), take cheques back and exchange goods of them, hold goods, add to holds, cancel and sell them, receive,
write off, send to another warehouse, count, pay suppliers and debts, move and collect money, open and close
shifts in every second family, and list. 70 % of their calls have an Idempotency-Key and are repeated at any
process until answered.

Afterwards the books are checked as npm run verify does, once as they were left and once after what was cut
off has ended. What clients were told is compared with what was done: what was acknowledged is done once, what
was refused is not done, and nothing is done twice. A receiver of webhooks, which fails at a tenth of what
comes, has heard of every sale at least once.

The seed is printed. It decides what is tried and what goes wrong, but not when: processes run as they will.
Everything that happened is in .local/chaos-<seed>.log. Ends with 1 and the history of the records concerned
if there is a violation.`;

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
  const scope = { seed, log, net: { isFaulty: false, halfSeen: new HalfSeen() } };
  const data = await startData(undefined);
  // Processes come and go: no address of theirs would be right for long.
  Object.assign(process.env, data.settings, { LOG_LEVEL: 'silent', ADDRESS: 'http://localhost' });
  await makeDemoData(Date.now());
  const places = await startFleet(data.settings, Number(values.apis), scope);
  const hearing = await startReceiving(randomFrom(seed, 'receiver'));
  // Whole, and in this process: nothing happens to it.
  const server = await startServer(await discoverRoutes(), data.readFile, newClock(), 0);
  const copies = await makeScenes(server.address, Number(values.families), hearing, log);
  const scenes = copies.map(({ family }) => family);
  const record = await workAll(places, copies, scope);
  const unheard = await countUnheard(hearing, scenes);
  // Callers have given up on what still runs there.
  await Promise.all(places.map((place) => place.end()));
  await Promise.all(places.map((place) => place.drain()));
  say(countsText(log.counts, record));
  say(await rollupUpdatesText(scenes.map(({ familyId }) => familyId)));
  const wrong = await countViolations(record, scenes, log.file);
  const violations = unheard + wrong + (await countDifferences(server.address, copies));
  say(`${violations} violations. Seed ${seed}; all that happened: ${log.file}`);
  await Promise.all([hearing.stop(), server.stop(), ...places.map((place) => place.stop())]);
  await data.stop();
  return violations;
}

/** Has all clients work, and readers copy, while things go wrong, until the end. */
async function workAll(
  places: readonly FleetSlot[],
  copies: readonly FamilyReplicas[],
  scope: ChaosRun,
): Promise<RunHistory> {
  const { seed, log, net } = scope;
  const record: RunHistory = { begun: [], told: [], wrong: [] };
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
  await (net.isFaulty ? disturb(places, scope, isTime) : pause(Number(values.seconds) * 1000));
  net.isFaulty = false;
  await Promise.all([...clients, ...reading]);
  return record;
}

function countsText(counts: ReadonlyMap<string, number>, { told, begun }: RunHistory): string {
  const of = (outcome: string) => told.filter((each) => each.outcome === outcome).length;
  const kinds = Map.groupBy(begun, ({ kind }) => kind);
  const operations = [...kinds].map(([kind, all]) => `${all.length} of ${kind}`);
  const calls = [...counts].toSorted(([a], [b]) => a.localeCompare(b));
  return [
    `${begun.length} operations: ${operations.join(', ')}.`,
    `${of('done')} done, ${of('refused')} refused, ${of('unknown')} unknown.`,
    ...calls.map(([what, count]) => `  ${String(count).padStart(6)} ${what}`),
  ].join('\n');
}

/** Sets shops up, each with a webhook and the readers of its copies. */
async function makeScenes(
  address: string,
  count: number,
  hearing: ReceivedEvents,
  log: Log,
): Promise<FamilyReplicas[]> {
  const copies: FamilyReplicas[] = [];
  while (copies.length < count) {
    const scene = await newChaosFamily(address, copies.length % 2 === 1);
    await subscribeToSales(address, hearing, scene);
    copies.push(await newReplicas(address, scene, log));
  }
  return copies;
}

/** Says whether the receiver has heard of every sale, and counts those that it has not. */
async function countUnheard(hearing: ReceivedEvents, scenes: readonly ChaosFamily[]): Promise<number> {
  const { count, missing } = await waitForSales(hearing, scenes);
  say(`The receiver was told of ${count - missing.length} of ${count} sales.`);
  for (const name of missing) say(`  It never heard of ${name}`);
  return missing.length;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
