import { randomUUID } from 'node:crypto';
import { actionOf } from '#lib/table/change/change.ts';
import { sendIndexNotices } from '#lib/table/change/index-notice.ts';
import { MAX_ACTIONS, transactWrite, writeOne } from '#lib/table/change/send.ts';
import { bytesCounted, type Write } from '#lib/table/change/write.ts';
import { actionFor, fitActionLimit, requireSizes } from '#lib/table/change/writes.ts';
import { absent, type Expression } from '#lib/table/expression.ts';
import { unlocked } from '#lib/table/items.ts';
import { Contention, HeldByStandingLock, NotYet, YieldedToOlder } from '#lib/table/journal/contention.ts';
import { areContested, noteContested } from '#lib/table/journal/contested.ts';
import { runJournaled } from '#lib/table/journal/journal.ts';
import { lockAhead, releasePessimisticLock, runUnderLock } from '#lib/table/journal/pessimistic-lock.ts';
import { recoverBlockingItems } from '#lib/table/journal/recovery.ts';
import { addressOf } from '#lib/table/keys.ts';
import { neverSeen } from '#lib/table/read/until-seen.ts';
import { recordConflict } from '#lib/table/request-context.ts';
import {
  adoptPessimisticLock,
  consumeDrawnIds,
  hasMetJournal,
  isRetried,
  withPessimisticLock,
  withRetryState,
} from '#lib/table/retries.ts';
import { backOff } from '#lib/table/transient-errors.ts';
import { ApiError, serviceUnavailable } from '#lib/values/api-error.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { CONNECTIONS } from '#lib/values/silence.ts';
import { checksToLock, errorForConditions, explainFailures, requireDistinct } from './explain.ts';

export { Contention } from '#lib/table/journal/contention.ts';

/** Enough for twenty who want the same item at once to get through. */
const ATTEMPTS = 25;

/** Many more than the others: each try of a journal is a wait for an older one to end. */
const JOURNAL_ATTEMPTS = 100;

/** A transaction of DynamoDB's may be of 4 MB. */
const MAX_NATIVE_BYTES = 3_500_000;

/**
 * Makes all the writes or none: the only way to change more than one item. Up to a hundred writes are one
 * transaction of DynamoDB's, more go over the journal. An item may come only once: twice is a defect, unless
 * a guard fails. Throws the refusals of the guards that fail, with all fields in one, or `Contention`. 400 if
 * an item would be larger than the table accepts.
 */
export async function transact(wanted: readonly Write[]): Promise<void> {
  if (wanted.length === 0) return;
  const writes = fitActionLimit(wanted);
  requireSizes(writes);
  await requireDistinct(writes);
  await Promise.all([transactAll(writes), sendIndexNotices(writes.flatMap(({ notice }) => notice ?? []))]);
  consumeDrawnIds();
}

/**
 * Makes new items one by one, side by side, which nobody reads before a transaction that is still to come.
 * That costs half, and there may be any number. Their keys must never have been written, so that no request
 * that comes late puts back what they were. 400 as for a transaction.
 */
export async function stageItems(writes: readonly Write[]): Promise<void> {
  requireSizes(writes);
  consumeDrawnIds();
  await mapConcurrent(writes, CONNECTIONS, ({ key, change }) =>
    writeOne(actionOf(key, change, [absent('pk')])),
  );
}

/**
 * Makes one write that may be made again, at half of its cost in a transaction, as long as `isNext` holds of
 * the item: a request that comes late puts back nothing that was written since. A transaction makes it where
 * that does not hold, or a large one has taken the item.
 */
export async function writeAlone(write: Write, isNext: Expression): Promise<void> {
  requireSizes([write]);
  const isWritten = await writeOne(actionOf(write.key, write.change, [unlocked, isNext]));
  if (!isWritten) await transact([write]);
}

async function transactAll(writes: readonly Write[]): Promise<void> {
  const isSmall = writes.reduce((sum, write) => sum + bytesCounted(write), 0) <= MAX_NATIVE_BYTES;
  const isNative = writes.length <= MAX_ACTIONS && isSmall;
  if (writes.some(({ under }) => under !== undefined)) {
    if (!isNative) throw new Error('What standing locks take does not fit one transaction');
    return transactNatively(writes);
  }
  const reservation = adoptPessimisticLock();
  if (reservation) return explainFailures(writes, () => runUnderLock(reservation, writes));
  if (isNative) return transactNatively(writes);
  const born = Date.now();
  const run = () => runJournaled(writes, born);
  const checks = isRetried() ? checksToLock(writes) : [];
  if (checks.length === 0) return explainFailures(writes, () => untilTheOldest(run));
  if (hasMetJournal()) noteContested(checks);
  // Others are at work on what was read, so the guards would fail: take it first, then read again.
  if (areContested(checks)) throw new Contention(checks);
  return explainFailures(writes, run);
}

async function transactNatively(writes: readonly Write[]): Promise<void> {
  const actions = writes.map(actionFor);
  const token = randomUUID();
  for (let attempt = 1; ; attempt++) {
    const failures = await transactWrite(actions, { token });
    if (failures.length === 0) return;
    if (failures.every(({ lock }) => lock === undefined)) {
      throw errorForConditions(failures.flatMap(({ index }) => writes[index] ?? [])) ?? new Contention();
    }
    if (attempt === JOURNAL_ATTEMPTS) throw serviceUnavailable();
    const blocked = failures.map(({ index, lock }) => ({ lock, key: writes[index]?.key }));
    const outcomes = await recoverBlockingItems(blocked, attempt);
    if (outcomes.some(({ state }) => state === 'withheld')) throw new HeldByStandingLock();
    if (outcomes.some(({ state }) => state !== 'ended')) await backOff(attempt);
  }
}

/**
 * Repeats reads and the writes that rest on them while others are faster. What a large transaction wanted is
 * taken before it is read again, so it comes through the second time. After twenty-five attempts 409, and 503
 * if it still does not see what must be there.
 */
export async function retryOnContention<T>(work: () => Promise<T>): Promise<T> {
  const born = Date.now();
  const wanted = new Map<string, Write>();
  const again = withRetryState(work);
  for (let attempt = 1; ; attempt++) {
    try {
      return await (wanted.size > 0 ? reserving([...wanted.values()], born, again) : again());
    } catch (error) {
      if (!(error instanceof Contention)) throw error;
      if (attempt === ATTEMPTS)
        throw error instanceof NotYet ? neverSeen(error) : new ApiError(409, { key: 'http.conflict' });
      addTo(wanted, error);
      recordConflict();
      await backOff(attempt);
    }
  }
}

/**
 * Adds what is to be taken before it is read again. An item under a standing lock can't be taken, only read
 * as it is.
 */
function addTo(wanted: Map<string, Write>, contention: Contention): void {
  if (contention instanceof HeldByStandingLock) wanted.clear();
  for (const check of contention.items) wanted.set(addressOf(check.key), check);
}

async function reserving<T>(checks: readonly Write[], born: number, work: () => Promise<T>): Promise<T> {
  const reservation = await untilTheOldest(() => lockAhead(checks, born));
  return withPessimisticLock(reservation, work, (unused) =>
    // If this fails, the lease runs out, and passers-by give it back.
    releasePessimisticLock(unused).catch((error: unknown) => process.emitWarning(`${unused.id}: ${error}`)),
  );
}

/** Tries a journal again as long as it gives way to older ones. */
async function untilTheOldest<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof YieldedToOlder)) throw error;
      if (attempt === JOURNAL_ATTEMPTS) throw serviceUnavailable();
      await backOff(attempt);
    }
  }
}
