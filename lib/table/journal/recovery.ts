import { setTimeout as pause } from 'node:timers/promises';
import { enqueueSurely, RECOVERY_WORKER } from '#lib/queues/queue.ts';
import { type Change, type Target, updateOf } from '#lib/table/change/change.ts';
import { bytesOf, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { isPlaceholder, readLockedBy } from '#lib/table/items.ts';
import { addressOf, type Key, keyOfItem } from '#lib/table/keys.ts';
import { recordRecovery } from '#lib/table/request-context.ts';
import { applyAll } from './apply.ts';
import { isStanding, ownerStateOf, targetAtEnd } from './standing-lock.ts';
import {
  closeJournal,
  type JournalHeader,
  markAborted,
  readChangesOf,
  readHeader,
  readTargets,
} from './store.ts';

/**
 * Seconds; longer than a call of the API lives. So what was committed and not applied, as its function died,
 * is applied within a minute of its commit, and copies hear of it. Part 4, 4.1, 7.
 */
export const RECOVERY_DELAY_S = 45;

/** How often a lock without a journal is looked at before it is taken for an orphan. */
const LOOKS = 5;
const LOOK_MS = 50;

/** How many tries leave a lock without a journal alone: as a rule the journal has ended between two looks. */
const PATIENT = 3;

/**
 * A journal's state when someone meets it. `ended`: its items are free by now. `notFound`: it has no header.
 * `withheld`: it is no journal but a standing lock, which nobody waits for.
 */
export type JournalState = 'preparing' | 'ended' | 'missing' | 'withheld';

/**
 * Heals the given items that bear a journal's lock, and no others, however many it has locked. They become
 * what a committed journal makes of them, or what they were. If the owner is at work, they are left to it.
 */
export async function recoverItems(id: string, keys: readonly Key[]): Promise<JournalState> {
  if (isStanding(id)) return healStanding(id, keys);
  const outcome = await outcomeOf(id);
  if (outcome === 'missing' || outcome === 'preparing') return outcome;
  await endItems(id, outcome, keys);
  return 'ended';
}

/** Finds the header of a journal that has ended; ends it first if its owner has left it. */
async function outcomeOf(id: string): Promise<JournalHeader | 'preparing' | 'missing'> {
  const header = await readHeader(id);
  if (!header) return 'missing';
  if (header.state !== 'preparing') return header;
  if (header.lease > Date.now()) return 'preparing';
  // Only a journal that nobody has prolonged since may be ended. If this fails, it is looked at again.
  await markAborted(id, header.lease);
  return outcomeOf(id);
}

/** Drops standing locks, but only after the end of their owner, whatever is found there. */
async function healStanding(lock: string, keys: readonly Key[]): Promise<JournalState> {
  const state = await ownerStateOf(lock);
  if (state === undefined || state === 'preparing') return 'withheld';
  const items = await readLockedBy(lock, keys);
  await applyAll(
    lock,
    items.map((item) => targetAtEnd(item, state)),
  );
  return 'ended';
}

/** Heals the items that blocked a write because journals have taken them, those of each journal together. */
export async function recoverBlockingItems(
  blocked: readonly { readonly lock: string | undefined; readonly key: Key | undefined }[],
  attempt: number,
) {
  const byLock = new Map<string, Key[]>();
  for (const { lock, key } of blocked) {
    if (lock !== undefined && key) byLock.set(lock, [...(byLock.get(lock) ?? []), key]);
  }
  return Promise.all(
    [...byLock].map(async ([lock, keys]) => {
      const state = await recoverItems(lock, keys);
      if (state === 'missing' && attempt > PATIENT) await dropOrphans(lock, keys);
      return { lock, state };
    }),
  );
}

/** Drops locks whose journal is not found after some looks. By the argument there are none: a defect. */
async function dropOrphans(id: string, keys: readonly Key[]): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    await pause(LOOK_MS * look);
    if ((await recoverItems(id, keys)) !== 'missing') return;
  }
  process.emitWarning(`Items bear the lock of journal ${id}, which does not exist: it is dropped`);
  await releaseAll(id, keys);
}

/**
 * Ends a whole journal that its owner has left; tells whether it is over. A worker's task. One that was
 * aborted is looked through even if its owner has closed it, as that may not have seen its last locks yet.
 */
export async function recoverJournal(id: string): Promise<'preparing' | 'over'> {
  const outcome = await outcomeOf(id);
  if (outcome === 'preparing') return 'preparing';
  if (outcome === 'missing' || (outcome.isClosed && outcome.state === 'committed')) return 'over';
  const targets = await readTargets(id);
  await endItems(
    id,
    outcome,
    targets.map(({ key }) => key),
  );
  if (outcome.isClosed) return 'over';
  await closeJournal(id);
  recordRecovery();
  return 'over';
}

/** Restores every item that bears the journal's lock to what it was before it was taken. */
export async function releaseAll(id: string, keys: readonly Key[]): Promise<void> {
  const items = await readLockedBy(id, keys);
  await applyAll(id, items.map(releaseOf));
}

/**
 * Asks the worker to look after a journal later. 503 if the queue does not take it, before anything is taken:
 * who meets an item next heals it, but of one that nobody meets copies and webhooks would never hear.
 */
export function scheduleRecovery(id: string): Promise<void> {
  return enqueueSurely(RECOVERY_WORKER, { id }, RECOVERY_DELAY_S);
}

async function endItems(id: string, header: JournalHeader, keys: readonly Key[]): Promise<void> {
  if (keys.length === 0) return;
  const changes =
    header.state === 'committed' ? await readChangesOf(id, header, keys) : new Map<string, Change>();
  const targets = keys.flatMap((key): Target[] => {
    const change = changes.get(addressOf(key));
    return change && change.kind !== 'check' ? [{ key, change }] : [];
  });
  const changed = new Set(targets.map(({ key }) => addressOf(key)));
  await applyAll(id, targets);
  await releaseAll(
    id,
    keys.filter((key) => !changed.has(addressOf(key))),
  );
}

/** Restores an item to what it was before it was taken. */
function releaseOf(item: Item): Write {
  const change = isPlaceholder(item) ? { kind: 'remove' as const } : updateOf({});
  return { key: keyOfItem(item), change, bytes: bytesOf(item) };
}
