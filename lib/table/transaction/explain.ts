import type { Write } from '#lib/table/change/write.ts';
import { ConditionsFailed, Contention, YieldedToOlder } from '#lib/table/journal/contention.ts';
import { addressOf } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { invalid } from '#lib/values/api-error.ts';

/**
 * Runs journaled writes. If their guards fail, evaluates all of them, so that the error names each failing
 * field. If the journal yields to an older one, throws `Contention`: the data read is about to change.
 */
export async function explainFailures(writes: readonly Write[], work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof YieldedToOlder) throw contentionFor(writes);
    if (!(error instanceof ConditionsFailed)) throw error;
    throw errorForConditions(await failuresAmong(writes)) ?? contentionFor(writes);
  }
}

/**
 * Requires distinct items, since DynamoDB rejects duplicates before it evaluates guards. A failing guard has
 * the better error: a caller that refers to the id that its new record is about to get is rejected on that
 * field, among all others.
 */
export async function requireDistinct(writes: readonly Write[]): Promise<void> {
  const seen = new Set<string>();
  const duplicate = writes
    .map(({ key }) => addressOf(key))
    .find((address) => seen.size === seen.add(address).size);
  if (duplicate === undefined) return;
  const failed = await failuresAmong(writes);
  if (failed.length > 0) throw errorForConditions(failed) ?? contentionFor(writes);
  throw new Error(`A transaction has two writes of one item, ${duplicate}`);
}

/** Reads the guarded items, and returns the writes whose guards fail. */
async function failuresAmong(writes: readonly Write[]): Promise<Write[]> {
  const guarded = writes.filter(({ guard }) => guard);
  const items = await getItems(guarded.map(({ key }) => key));
  return guarded.filter(({ guard }, index) => !guard?.if.matches(items[index] ?? {}));
}

function contentionFor(writes: readonly Write[]): Contention {
  return new Contention(checksToLock(writes));
}

/**
 * Returns checks of the existing items that the writes depend on, with sizes as far as known. An item that
 * must not exist yet has no contention.
 */
export function checksToLock(writes: readonly Write[]): Write[] {
  return writes
    .filter(({ guard }) => guard && !guard.if.matches({}))
    .map(({ key, bytes }) => ({ key, change: { kind: 'check' }, ...(bytes !== undefined && { bytes }) }));
}

/** Returns the error for failed guards; undefined if none failed, or if one of them has no error. */
export function errorForConditions(failed: readonly Write[]): Error | undefined {
  const errors = failed.flatMap(({ guard }) => guard?.otherwise ?? []);
  const other = errors.find(({ status }) => status !== 422);
  if (other) return other;
  if (errors.length === 0 || errors.length < failed.length) return undefined;
  return invalid(Object.fromEntries(errors.flatMap(({ fields }) => Object.entries(fields))));
}
