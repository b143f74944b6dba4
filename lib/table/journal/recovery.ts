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
 * Seconds; longer than an API call can run. So a committed journal whose function died is applied within a
 * minute of its commit, and synced clients receive it. Part 4, 4.1, 7.
 */
export const RECOVERY_DELAY_S = 45;

/** Checks of a lock without a journal before it is considered an orphan. */
const LOOKS = 5;
const LOOK_MS = 50;

/** Attempts that leave a lock without a journal alone: usually the journal has ended in between. */
const PATIENT = 3;

/**
 * A journal's state when a process meets its lock. `ended`: its items are free by now. `missing`: it has no
 * header. `withheld`: it is a standing lock, which no journal waits for.
 */
export type JournalState = 'preparing' | 'ended' | 'missing' | 'withheld';

/**
 * Recovers the given items that bear a journal's lock, and no others of the journal's. They are rolled
 * forward if it is committed, rolled back if not. If the owner is active, they are left to it.
 */
export async function recoverItems(id: string, keys: readonly Key[]): Promise<JournalState> {
  if (isStanding(id)) return healStanding(id, keys);
  const outcome = await outcomeOf(id);
  if (outcome === 'missing' || outcome === 'preparing') return outcome;
  await endItems(id, outcome, keys);
  return 'ended';
}

/** Returns the header of a journal that has ended; ends it first if its lease has expired. */
async function outcomeOf(id: string): Promise<JournalHeader | 'preparing' | 'missing'> {
  const header = await readHeader(id);
  if (!header) return 'missing';
  if (header.state !== 'preparing') return header;
  if (header.lease > Date.now()) return 'preparing';
  // Aborts only if the lease has not been renewed since. If it has, the journal is read again.
  await markAborted(id, header.lease);
  return outcomeOf(id);
}

/** Drops standing locks, but only after the end of their owner, in any state of the items. */
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

/** Recovers the locked items that blocked a write, grouped by journal. */
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

/** Drops locks whose journal is not found after some checks. The proof excludes them: a defect. */
async function dropOrphans(id: string, keys: readonly Key[]): Promise<void> {
  for (let look = 0; look < LOOKS; look++) {
    await pause(LOOK_MS * look);
    if ((await recoverItems(id, keys)) !== 'missing') return;
  }
  process.emitWarning(`Items bear the lock of journal ${id}, which does not exist: it is dropped`);
  await releaseAll(id, keys);
}

/**
 * Ends a whole journal that its owner has left; returns whether it is over. Run by the recovery worker. An
 * aborted journal is checked even if its owner has closed it, as the owner may have missed its last locks.
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

/** Rolls back every item that bears the journal's lock. */
export async function releaseAll(id: string, keys: readonly Key[]): Promise<void> {
  const items = await readLockedBy(id, keys);
  await applyAll(id, items.map(releaseOf));
}

/**
 * Schedules the recovery of a journal by the worker. 503 if the queue is unavailable, before the first lock:
 * items that other processes meet would be recovered, but changes of the others would never reach synced
 * clients and webhooks.
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

/** Returns the write that rolls an item back. */
function releaseOf(item: Item): Write {
  const change = isPlaceholder(item) ? { kind: 'remove' as const } : updateOf({});
  return { key: keyOfItem(item), change, bytes: bytesOf(item) };
}
