import { setTimeout as pause } from 'node:timers/promises';
import type { ChaosFamily } from '#bench/chaos/family.ts';
import type { FleetSlot } from '#bench/chaos/fleet.ts';
import type { Log } from '#bench/chaos/log.ts';
import { IMPATIENCE_MS } from '#bench/chaos/perform.ts';
import type { SeededRandom } from '#bench/support/random.ts';
import { type Person, personOf } from '#bin/cli/person.ts';
import { familyTenant, partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { finishStocktake } from '#lib/trade/stocktake/finish.ts';
import { stocktakes } from '#lib/trade/stocktake/record.ts';
import { compareReplica } from './compare.ts';
import { readLists } from './lists.ts';
import { ReplicaReader } from './reader.ts';

/*
 * Two copies of each family, kept beside the run: the director's, of all that there is, and that of a
 * program's key, which reaches one desk and one warehouse. They are answered by the processes that die.
 */

/** Everything is told within seconds, once nothing goes wrong any more. */
const PATIENCE_MS = 60_000;

const LONGEST_WAIT_MS = 5_000;
const RETRY_MS = 300;

/** As many differences of a copy are told one by one. */
const MAX_TOLD = 20;

/** The copies of a family. */
export interface FamilyReplicas {
  readonly family: ChaosFamily;
  readonly readers: readonly ReplicaReader[];
}

/** Makes the readers of a family's copies. */
export async function newReplicas(address: string, family: ChaosFamily, log: Log): Promise<FamilyReplicas> {
  const { familyId, token, desks, stockId } = family;
  const key = await newKey(personOf(address, token), {
    cashbox_ids: desks.slice(0, 1),
    stock_ids: [stockId],
  });
  const readers = [
    new ReplicaReader({ name: `The director's copy of family ${familyId}`, token, log }),
    new ReplicaReader({ name: `The key's copy of family ${familyId}`, token: key, log }),
  ];
  return { family, readers };
}

/** Makes a key that may do everything in some places. */
async function newKey(director: Person, places: object): Promise<string> {
  const role = { type: 'employee', name: 'Copies', new_routes: ['company.*'] };
  const role_id = await director.make('/company/user/role', role);
  const form = { name: 'Copies', role_id, expires_at: null, ...places };
  return (await director.call('POST /company/user/key', form)).text('key');
}

/** Reads on at any process that has started, until the end. */
export async function keepSyncing(
  reader: ReplicaReader,
  places: readonly FleetSlot[],
  chance: SeededRandom,
  isTime: () => boolean,
): Promise<void> {
  while (!isTime()) {
    const addresses = places.flatMap(({ address }) => address || []);
    if (addresses.length > 0) {
      const wait = await reader.readPage(chance.oneOf(addresses), chance.oneOf(IMPATIENCE_MS));
      await pause(Math.min(wait, LONGEST_WAIT_MS));
    } else await pause(RETRY_MS);
  }
}

/**
 * Reads all copies to their ends at a process to which nothing happens, compares them with the lists, says
 * what is wrong, and counts it. Nothing else may be at work any more.
 */
export async function countDifferences(address: string, copies: readonly FamilyReplicas[]): Promise<number> {
  let unlike = 0;
  for (const { family, readers } of copies) {
    await finishCounts(family);
    const whole = await readLists(personOf(address, family.token), { withLines: true });
    for (const reader of readers) {
      const own = reader.token === family.token ? whole : await readLists(personOf(address, reader.token));
      const wrong = [...reader.wrong, ...(await compareAtEnd(address, reader, { own, whole }))];
      tell(reader, wrong);
      unlike += wrong.length;
    }
  }
  return unlike;
}

/** Does the work of the worker: what a count has made of its balances is told once it stands in them. */
async function finishCounts({ familyId: family_id }: ChaosFamily): Promise<void> {
  for await (const items of walk(partition(stocktakes.type, familyTenant(family_id)))) {
    for (const { id } of items) await finishStocktake({ family_id, id: Number(id) });
  }
}

async function compareAtEnd(
  address: string,
  reader: ReplicaReader,
  lists: Parameters<typeof compareReplica>[1],
) {
  for (const end = performance.now() + PATIENCE_MS; ; ) {
    const wait = await reader.readPage(address, PATIENCE_MS);
    const unlike = reader.isAtEnd ? compareReplica(reader.entries.values(), lists) : undefined;
    if (unlike?.length === 0) return [];
    if (performance.now() > end) return unlike ?? ['Its end was not reached'];
    await pause(wait);
  }
}

function tell({ name, entries, pages }: ReplicaReader, wrong: readonly string[]): void {
  show(`${name}: ${entries.size} records in ${pages} pages, ${wrong.length} violations`);
  for (const each of wrong.slice(0, MAX_TOLD)) show(`  Copy: ${each}`);
  if (wrong.length > MAX_TOLD) show(`  and ${wrong.length - MAX_TOLD} more`);
}

function show(text: string): void {
  process.stdout.write(`${text}\n`);
}
