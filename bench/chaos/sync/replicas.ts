import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ChaosFamily } from '#bench/chaos/family.ts';
import type { FleetSlot } from '#bench/chaos/fleet.ts';
import type { Log } from '#bench/chaos/log.ts';
import { IMPATIENCE_MS } from '#bench/chaos/perform.ts';
import type { SeededRandom } from '#bench/support/random.ts';
import { type Person, personOf } from '#bin/cli/person.ts';
import { compareReplica } from './compare.ts';
import { readLists } from './lists.ts';
import { type ReplicaEntry, ReplicaReader } from './reader.ts';

/*
 * Two replicas of each family, maintained during the run: the director's, with full reach, and that of an API
 * key, which reaches one desk and one warehouse. The processes that serve them die.
 */

/** All changes arrive within seconds once there are no faults. */
const PATIENCE_MS = 120_000;

/** Far longer than the feed's delay. */
const NEWS_MS = 5_000;

const LONGEST_WAIT_MS = 5_000;
const RETRY_MS = 300;

/** Maximum differences of a replica printed in full. */
const MAX_PRINTED = 20;

/** Replicas of a family. */
export interface FamilyReplicas {
  readonly family: ChaosFamily;
  /** The director's, and the key's. */
  readonly readers: readonly [ReplicaReader, ReplicaReader];
  /** Revisions of the initial records, by the keys of the director's entries. */
  readonly before: ReadonlyMap<string, number>;
}

/** Creates the readers of a family's replicas. */
export async function newReplicas(address: string, family: ChaosFamily, log: Log): Promise<FamilyReplicas> {
  const { familyId, token, desks, stockId } = family;
  const key = await newKey(personOf(address, token), {
    cashbox_ids: desks.slice(0, 1),
    stock_ids: [stockId],
  });
  const [expired, moved] = ['sync.begin_again', 'sync.reach_changed'];
  const copy = (of: string) => ({ name: `The ${of}'s copy of family ${familyId}`, log });
  // A desk moves between branches, which the key does not reach.
  const director = new ReplicaReader({ ...copy('director'), token, ends: [expired, moved] });
  const program = new ReplicaReader({ ...copy('key'), token: key, ends: [expired] });
  await readToEnd(address, director);
  const before = new Map([...director.entries].map(([name, { revision }]) => [name, revision]));
  return { family, readers: [director, program], before };
}

/**
 * Reads all records of a replica's reach from the beginning. A replica keeps a stock level with the revision
 * of its warehouse when it was read; here both are of now.
 */
export async function readFromStart(
  address: string,
  { token }: Pick<ReplicaReader, 'token'>,
  log: Log,
): Promise<ReplicaReader['entries']> {
  const reader = new ReplicaReader({ name: 'A last reader', token, log, ends: [] });
  await readToEnd(address, reader);
  return reader.entries;
}

async function readToEnd(address: string, reader: ReplicaReader): Promise<void> {
  while (!reader.isAtEnd) await pause(await reader.readPage(address, PATIENCE_MS));
}

/** Creates a key with all rights in some places. */
async function newKey(director: Person, places: object): Promise<string> {
  const role = { type: 'employee', name: 'Copies', new_routes: ['company.*'] };
  const role_id = await director.make('/company/user/role', role);
  const form = { name: 'Copies', role_id, expires_at: null, ...places };
  return (await director.call('POST /company/user/key', form)).text('key');
}

/** Reads from any started process, until the end. */
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
 * Reads all replicas to their ends at a process without faults, compares them with the lists, prints
 * differences, and returns their number. Requires that no other work is running.
 */
export async function countDifferences(address: string, copies: readonly FamilyReplicas[]): Promise<number> {
  let unlike = 0;
  for (const { family, readers } of copies) {
    const whole = await readLists(personOf(address, family.token), { withLines: true });
    for (const reader of readers) {
      const own = reader.token === family.token ? whole : await readLists(personOf(address, reader.token));
      const wrong = [...reader.wrong, ...(await compareAtEnd(address, reader, { own, whole }))];
      printReader(reader, wrong);
      unlike += wrong.length;
    }
  }
  return unlike;
}

/**
 * Prints the changes that have reached replicas since they were up to date, and returns their number.
 * Expected: none.
 */
export async function countNews(address: string, copies: readonly FamilyReplicas[]): Promise<number> {
  const readers = copies.flatMap((each) => each.readers);
  const known = readers.map(({ entries }) => new Map(entries));
  await pause(NEWS_MS);
  let news = 0;
  for (const [index, reader] of readers.entries()) {
    reader.isAtEnd = false;
    await readToEnd(address, reader);
    for (const [key, entry] of reader.entries) {
      if (isSame(entry, known[index]?.get(key))) continue;
      news += 1;
      show(`  ${reader.name}: ${key} was changed by a call that was sent again`);
    }
  }
  return news;
}

/** Returns whether an entry is unchanged. The revision of a stock level also grows with its warehouse. */
function isSame(entry: ReplicaEntry, before: ReplicaEntry | undefined): boolean {
  if (entry.type === 'stock.product') return isDeepStrictEqual(entry.record, before?.record);
  return entry.revision === before?.revision;
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

function printReader({ name, entries, pages }: ReplicaReader, wrong: readonly string[]): void {
  show(`${name}: ${entries.size} records in ${pages} pages, ${wrong.length} violations`);
  for (const each of wrong.slice(0, MAX_PRINTED)) show(`  Copy: ${each}`);
  if (wrong.length > MAX_PRINTED) show(`  and ${wrong.length - MAX_PRINTED} more`);
}

function show(text: string): void {
  process.stdout.write(`${text}\n`);
}
