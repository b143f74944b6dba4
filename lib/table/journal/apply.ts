import { type Action, actionOf, type Change } from '#lib/table/change/change.ts';
import { MAX_ACTIONS, transactWrite, writeOne } from '#lib/table/change/send.ts';
import { bytesCounted, type Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { LOCK } from '#lib/table/items.ts';
import { mapConcurrent, splitBySize } from '#lib/values/concurrency.ts';
import { CONNECTIONS } from '#lib/values/silence.ts';

/** Changes sent in one call, with their items: DynamoDB's limit is 4 MB. */
const TOGETHER = { count: MAX_ACTIONS, size: 3_000_000 };

/** Concurrent calls, and attempts for each. */
const CALLS = 8;
const ATTEMPTS = 3;

/**
 * Applies changes to locked items and unlocks them. Idempotent, whichever process does it: an item without
 * the lock is skipped, as another process has done it. A call takes a hundred; if it fails, each is sent
 * separately. Tries every change, then throws the first failure.
 */
export async function applyAll(lock: string, writes: readonly Write[]): Promise<void> {
  const calls = splitBySize(writes, TOGETHER, bytesCounted);
  const failures = await mapConcurrent(calls, CALLS, (together) => {
    return applyTogether(
      together.map(({ key, change }) => actionOf(key, unlock(change), [equals(LOCK, lock)])),
    );
  });
  const [first] = failures.flat();
  if (first !== undefined) throw first;
}

/** Executes all the actions; returns the failures. */
async function applyTogether(actions: readonly Action[]): Promise<unknown[]> {
  const isDone = await transactWrite(actions, { attempts: ATTEMPTS }).then(
    (failures) => failures.length === 0,
    () => false,
  );
  if (isDone) return [];
  const failures = await mapConcurrent(actions, CONNECTIONS, (action) =>
    writeOne(action).then(
      () => [],
      (error: unknown) => [error],
    ),
  );
  return failures.flat();
}

/** Returns a change that also drops the lock; one that puts or removes the whole item does so anyway. */
function unlock(change: Change): Change {
  return change.kind === 'update' ? { ...change, unset: [...new Set([...change.unset, LOCK])] } : change;
}

/** Returns a write to a locked item that drops the lock, and has no other condition. */
export function underLock(lock: string, write: Write): Write {
  return { ...write, change: unlock(write.change), guard: { if: equals(LOCK, lock) }, under: lock };
}
