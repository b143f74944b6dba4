import { type Action, actionOf, type Change } from '#lib/table/change/change.ts';
import { MAX_ACTIONS, transactWrite, writeOne } from '#lib/table/change/send.ts';
import { bytesCounted, type Write } from '#lib/table/change/write.ts';
import { equals } from '#lib/table/expression.ts';
import { LOCK } from '#lib/table/items.ts';
import { mapConcurrent, splitBySize } from '#lib/values/concurrency.ts';
import { CONNECTIONS } from '#lib/values/silence.ts';

/** Changes that go in one call, with the items that they change: DynamoDB takes 4 MB. */
const TOGETHER = { count: MAX_ACTIONS, size: 3_000_000 };

/** Such calls under way at once, and how often one is tried. */
const CALLS = 8;
const ATTEMPTS = 3;

/**
 * Applies changes to items that bear a lock, and drops it: each once, whoever does it and however often. An
 * item without the lock is passed over: someone else was faster. A hundred go in a call; if that fails, each
 * of them goes by itself. Every change is tried, then the first failure is thrown.
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

/** Makes all the actions; answers with the failures. */
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

/** Makes a change drop the lock; one that puts or removes the whole item does so anyway. */
function unlock(change: Change): Change {
  return change.kind === 'update' ? { ...change, unset: [...new Set([...change.unset, LOCK])] } : change;
}

/** Makes a write to an item that bears a lock drop that lock, and require nothing else. */
export function underLock(lock: string, write: Write): Write {
  return { ...write, change: unlock(write.change), guard: { if: equals(LOCK, lock) }, under: lock };
}
