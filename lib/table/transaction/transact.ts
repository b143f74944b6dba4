import { randomUUID } from 'node:crypto';
import { actionOf } from '#lib/table/change/change.ts';
import { sendIndexNotices } from '#lib/table/change/index-notice.ts';
import { MAX_ACTIONS, transactWrite, writeOne } from '#lib/table/change/send.ts';
import { bytesCounted, type Write } from '#lib/table/change/write.ts';
import { actionFor, fitActionLimit, requireSizes } from '#lib/table/change/writes.ts';
import { absent, type Expression } from '#lib/table/expression.ts';
import { unlocked } from '#lib/table/items.ts';
import { Contention, HeldByStandingLock, NotYet, YieldedToOlder } from '#lib/table/journal/contention.ts';
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

/** Enough for twenty concurrent writers of one item. */
const ATTEMPTS = 25;

/** More than for other work: each attempt of a journal waits for an older one to end. */
const JOURNAL_ATTEMPTS = 100;

/** DynamoDB's limit for a transaction is 4 MB. */
const MAX_NATIVE_BYTES = 3_500_000;

/**
 * Executes all the writes or none: the only way to change more than one item. Up to a hundred writes are a
 * native transaction, more are journaled. An item may occur only once: a duplicate is a defect, unless a
 * guard fails. Throws the errors of failed guards, with all fields in one, or `Contention`. 400 if an item
 * would exceed the table's limit.
 */
export async function transact(requested: readonly Write[]): Promise<void> {
  if (requested.length === 0) return;
  const writes = fitActionLimit(requested);
  requireSizes(writes);
  await requireDistinct(writes);
  await Promise.all([transactAll(writes), sendIndexNotices(writes.flatMap(({ notice }) => notice ?? []))]);
  consumeDrawnIds();
}

/**
 * Creates new items concurrently, outside a transaction; they are not read until a later transaction refers
 * to them. This costs half, for any number of items. Their keys must never have been written, so that a
 * delayed request can't restore an old state. 400 as for a transaction.
 */
export async function stageItems(writes: readonly Write[]): Promise<void> {
  requireSizes(writes);
  consumeDrawnIds();
  await mapConcurrent(writes, CONNECTIONS, ({ key, change }) =>
    writeOne(actionOf(key, change, [absent('pk')])),
  );
}

/**
 * Executes one idempotent write at half of its cost in a transaction, provided that `isNext` holds for the
 * item: a delayed request then can't overwrite a later write. Falls back to a transaction if `isNext` does
 * not hold, or a journal has locked the item.
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
  if (checks.length === 0) return explainFailures(writes, () => retryWhileYielding(run));
  // The data read is contested, so the guards would fail: lock the items first, then read again.
  if (hasMetJournal()) throw new Contention(checks);
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
 * Retries reads and the writes that depend on them after contention. The items of a large transaction are
 * locked before they are read again, so its second attempt succeeds. After twenty-five attempts 409, or 503
 * if items that must exist are still not visible.
 */
export async function retryOnContention<T>(work: () => Promise<T>): Promise<T> {
  const born = Date.now();
  const toLock = new Map<string, Write>();
  const again = withRetryState(work);
  for (let attempt = 1; ; attempt++) {
    try {
      return await (toLock.size > 0 ? withItemsLocked([...toLock.values()], born, again) : again());
    } catch (error) {
      if (!(error instanceof Contention)) throw error;
      if (attempt === ATTEMPTS)
        throw error instanceof NotYet ? neverSeen(error) : new ApiError(409, { key: 'http.conflict' });
      addTo(toLock, error);
      recordConflict();
      await backOff(attempt);
    }
  }
}

/**
 * Adds the items to lock before they are read again. An item under a standing lock can't be locked, only
 * read.
 */
function addTo(toLock: Map<string, Write>, contention: Contention): void {
  if (contention instanceof HeldByStandingLock) toLock.clear();
  for (const check of contention.items) toLock.set(addressOf(check.key), check);
}

async function withItemsLocked<T>(
  checks: readonly Write[],
  born: number,
  work: () => Promise<T>,
): Promise<T> {
  const reservation = await retryWhileYielding(() => lockAhead(checks, born));
  return withPessimisticLock(reservation, work, (unused) =>
    // If this fails, the lease expires, and another process releases it.
    releasePessimisticLock(unused).catch((error: unknown) => process.emitWarning(`${unused.id}: ${error}`)),
  );
}

/** Retries a journal while it yields to older ones. */
async function retryWhileYielding<T>(work: () => Promise<T>): Promise<T> {
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
