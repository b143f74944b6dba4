import { randomUUID } from 'node:crypto';
import type { Target } from '#lib/table/change/change.ts';
import { transactWrite } from '#lib/table/change/send.ts';
import type { Write } from '#lib/table/change/write.ts';
import { actionFor } from '#lib/table/change/writes.ts';
import type { Key } from '#lib/table/keys.ts';
import { serviceUnavailable } from '#lib/values/api-error.ts';
import { applyAll } from './apply.ts';
import { type MeasuredWrite, recoverBlockers } from './lock-items.ts';
import { releaseAll } from './recovery.ts';
import { closeJournal, committal, markAborted, readHeader } from './store.ts';

/**
 * Commits a journal, together with the writes that are part of the commit. On failure the journal is aborted:
 * `YieldedToOlder` if an older journal needs one of the items, `ConditionsFailed` if a guard fails,
 * `HeldByStandingLock` if a stocktake holds one. A copy of the commit may arrive after another one was
 * rejected and before the abort: then it is executed, and that is no failure. 503 if the outcome is unknown.
 */
export async function commitOrAbort(
  id: string,
  keys: readonly Key[],
  { chunks, direct }: { readonly chunks: number; readonly direct: readonly Write[] },
): Promise<void> {
  try {
    await commit(id, chunks, direct);
  } catch (error) {
    if ((await abort(id, keys)) === 'aborted') throw error;
  }
}

/** Commits a journal, and leaves it `preparing` on failure. */
export async function commit(id: string, chunks: number, direct: readonly Write[]): Promise<void> {
  const actions = [committal(id, chunks), ...direct.map(actionFor)];
  const token = randomUUID();
  for (let attempt = 1; ; attempt++) {
    const failures = await transactWrite(actions, { token });
    if (failures.length === 0) return;
    // Only the owner commits: the response was lost.
    if ((await readHeader(id))?.state === 'committed') return;
    await recoverBlockers({ id, keys: keysOfWrites(direct), failures, attempt });
  }
}

/** Runs work that prepares a journal for its commit, and aborts the journal if it fails. */
export async function abortOnFailure<T>(
  id: string,
  keys: readonly Key[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // If the abort fails too, the lease expires, and another process aborts it.
    await abort(id, keys).catch((failure: unknown) => process.emitWarning(`${id}: ${failure}`));
    throw error;
  }
}

/**
 * Aborts a journal unless it is committed, and returns the outcome. 503 if the outcome is unknown; then the
 * lease expires, and another process ends it.
 */
export async function abort(id: string, keys: readonly Key[]): Promise<'aborted' | 'committed'> {
  const isAborted = await markAborted(id).catch((error: unknown) => {
    process.emitWarning(`${id}: ${error}`);
    throw serviceUnavailable();
  });
  if (!isAborted && (await readHeader(id))?.state === 'committed') return 'committed';
  // Locks that are not released now are left to other processes and the worker.
  await releaseAndClose(id, keys).catch((error: unknown) => process.emitWarning(`${id}: ${error}`));
  return 'aborted';
}

async function releaseAndClose(id: string, keys: readonly Key[]): Promise<void> {
  await releaseAll(id, keys);
  await closeJournal(id);
}

/**
 * Applies committed changes. Failures are left to other processes and the worker: the caller's transaction is
 * committed.
 */
export async function finish(
  id: string,
  writes: readonly MeasuredWrite[],
  unused: readonly Key[],
): Promise<void> {
  const isCheck = ({ change }: Target) => change.kind === 'check';
  const ends = await Promise.allSettled([
    applyAll(
      id,
      writes.filter((write) => !isCheck(write)),
    ),
    releaseAll(id, [...keysOfWrites(writes.filter(isCheck)), ...unused]),
  ]);
  const failure = ends.find((each) => each.status === 'rejected');
  if (!failure) await closeJournal(id).catch((error: unknown) => process.emitWarning(`${id}: ${error}`));
  else process.emitWarning(`Journal ${id} is committed, but not all of it is applied yet: ${failure.reason}`);
}

/** Generates a journal's id: the oldest sorts first. */
export function newId(born: number): string {
  return `${String(born).padStart(15, '0')}-${randomUUID()}`;
}

/** Returns the keys of writes. */
export function keysOfWrites(writes: readonly { readonly key: Key }[]): Key[] {
  return writes.map(({ key }) => key);
}
