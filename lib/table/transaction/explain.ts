import type { Write } from '#lib/table/change/write.ts';
import { ConditionsFailed, Contention, YieldedToOlder } from '#lib/table/journal/contention.ts';
import { noteContested } from '#lib/table/journal/contested.ts';
import { addressOf } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { invalid } from '#lib/values/api-error.ts';

/**
 * Does work. If a journal's guards fail, looks at all of them again, so that each failing field is named. If
 * it gives way to an older one, `Contention`: what was read is about to change.
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
 * Requires that no item comes twice, which DynamoDB refuses whatever the guards say. They say more to a
 * caller: whoever names the id that a new record is about to get is refused on that field, beside all others.
 */
export async function requireDistinct(writes: readonly Write[]): Promise<void> {
  const seen = new Set<string>();
  const twice = writes
    .map(({ key }) => addressOf(key))
    .find((address) => seen.size === seen.add(address).size);
  if (twice === undefined) return;
  const failed = await failuresAmong(writes);
  if (failed.length > 0) throw errorForConditions(failed) ?? contentionFor(writes);
  throw new Error(`A transaction has two writes of one item, ${twice}`);
}

/** Reads the guarded items, and picks the writes whose guards don't hold. */
async function failuresAmong(writes: readonly Write[]): Promise<Write[]> {
  const guarded = writes.filter(({ guard }) => guard);
  const items = await getItems(guarded.map(({ key }) => key));
  return guarded.filter(({ guard }, index) => !guard?.if.matches(items[index] ?? {}));
}

function contentionFor(writes: readonly Write[]): Contention {
  const checks = checksToLock(writes);
  noteContested(checks);
  return new Contention(checks);
}

/**
 * Lists the existing items whose state the writes rest on, each with its size as far as it is known. Nobody
 * fights for an item that must not exist yet.
 */
export function checksToLock(writes: readonly Write[]): Write[] {
  return writes
    .filter(({ guard }) => guard && !guard.if.matches({}))
    .map(({ key, bytes }) => ({ key, change: { kind: 'check' }, ...(bytes !== undefined && { bytes }) }));
}

/** Makes the refusal for guards that failed; undefined if none failed, or if one of them has no refusal. */
export function errorForConditions(failed: readonly Write[]): Error | undefined {
  const refusals = failed.flatMap(({ guard }) => guard?.otherwise ?? []);
  const other = refusals.find(({ status }) => status !== 422);
  if (other) return other;
  if (refusals.length === 0 || refusals.length < failed.length) return undefined;
  return invalid(Object.fromEntries(refusals.flatMap(({ fields }) => Object.entries(fields))));
}
