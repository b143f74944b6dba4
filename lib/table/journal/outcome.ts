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
 * Commits a journal, and makes the writes that go with that. If it can't, the journal is aborted:
 * `YieldedToOlder` if an older journal wants one of their items, `ConditionsFailed` if a guard fails,
 * `HeldByStandingLock` if a count has one. A copy of the commit may arrive after another one was refused, and
 * before the abort: then it is made, and that is no failure. 503 if nobody can tell how it ended.
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

/** Commits a journal, and leaves it as it is if it can't. */
export async function commit(id: string, chunks: number, direct: readonly Write[]): Promise<void> {
  const actions = [committal(id, chunks), ...direct.map(actionFor)];
  const token = randomUUID();
  for (let attempt = 1; ; attempt++) {
    const failures = await transactWrite(actions, { token });
    if (failures.length === 0) return;
    // Nobody else commits it: the answer was lost.
    if ((await readHeader(id))?.state === 'committed') return;
    await recoverBlockers({ id, keys: keysOfWrites(direct), failures, attempt });
  }
}

/** Does work that prepares a journal for its commit, and aborts the journal if it fails. */
export async function abortOnFailure<T>(
  id: string,
  keys: readonly Key[],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // If even that fails, the lease runs out, and passers-by do it.
    await abort(id, keys).catch((failure: unknown) => process.emitWarning(`${id}: ${failure}`));
    throw error;
  }
}

/**
 * Ends a journal that is not committed: all is as it was. Tells how it has ended. 503 if that can't be told;
 * then the lease runs out, and passers-by end it.
 */
export async function abort(id: string, keys: readonly Key[]): Promise<'aborted' | 'committed'> {
  const isAborted = await markAborted(id).catch((error: unknown) => {
    process.emitWarning(`${id}: ${error}`);
    throw serviceUnavailable();
  });
  if (!isAborted && (await readHeader(id))?.state === 'committed') return 'committed';
  // What is not given back now is by passers-by and the worker.
  await releaseAndClose(id, keys).catch((error: unknown) => process.emitWarning(`${id}: ${error}`));
  return 'aborted';
}

async function releaseAndClose(id: string, keys: readonly Key[]): Promise<void> {
  await releaseAll(id, keys);
  await closeJournal(id);
}

/**
 * Applies what is committed. Failures are left to passers-by and the worker: the caller's transaction is
 * made.
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

/** Makes the id of a journal: the older sorts first. */
export function newId(born: number): string {
  return `${String(born).padStart(15, '0')}-${randomUUID()}`;
}

/** Takes the keys of writes. */
export function keysOfWrites(writes: readonly { readonly key: Key }[]): Key[] {
  return writes.map(({ key }) => key);
}
