import { invalid, Refusal, unavailable } from '#lib/values/refusal.ts';
import { GaveWay, GuardsFailed, runJournaled, settle } from './journal.ts';
import { sendNotices } from './list/notice.ts';
import { unmarked } from './mark.ts';
import { noteConflict } from './meter.ts';
import { backOff, NATIVE_LIMIT, runNatively } from './native.ts';
import { getItems } from './reads.ts';
import { actionOf, type Write } from './write.ts';

/** So many that twenty who want the same item at once all get through. */
const ATTEMPTS = 25;

/** Many more than the others: each try of a journal is a wait for an older one to end. */
const JOURNAL_ATTEMPTS = 100;

/** What was read has changed before it could be written. */
export class Contention extends Error {}

/**
 * Makes all the writes or none, for every reader at every moment: the only way to change more than one item. Up to a
 * hundred writes are one transaction of DynamoDB's, more go over the journal. An item may come once only.
 * Throws the refusals of the guards that don't hold, all failing fields in one, or `Contention`.
 */
export async function transact(writes: readonly Write[]): Promise<void> {
  if (writes.length === 0) return;
  await Promise.all([transactAll(writes), sendNotices(writes)]);
}

async function transactAll(writes: readonly Write[]): Promise<void> {
  if (writes.length <= NATIVE_LIMIT) return transactNatively(writes);
  const born = Date.now();
  for (let attempt = 1; ; attempt++) {
    try {
      return await runJournaled(writes, born);
    } catch (error) {
      if (error instanceof GuardsFailed) throw await refusalOf(writes);
      if (!(error instanceof GaveWay)) throw error;
      if (attempt === JOURNAL_ATTEMPTS) throw unavailable();
      await backOff(attempt);
    }
  }
}

async function transactNatively(writes: readonly Write[]): Promise<void> {
  const actions = writes.map(({ key, change, guard }) =>
    actionOf(key, change, guard ? [unmarked, guard.if] : [unmarked]),
  );
  for (let attempt = 1; ; attempt++) {
    const failures = await runNatively(actions);
    if (failures.length === 0) return;
    const marks = new Set(failures.flatMap(({ mark }) => mark ?? []));
    if (marks.size === 0) throw refusalFor(failures.flatMap(({ index }) => writes[index] ?? []));
    const outcomes = await Promise.all([...marks].map(settle));
    if (!outcomes.includes('preparing')) continue;
    if (attempt === JOURNAL_ATTEMPTS) throw unavailable();
    await backOff(attempt);
  }
}

/** Does reads and the writes that rest on them again while others are faster. 409 after twenty-five attempts. */
export async function untilSettled<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Contention)) throw error;
      if (attempt === ATTEMPTS) throw new Refusal(409, { key: 'http.conflict' });
      noteConflict();
      await backOff(attempt);
    }
  }
}

/** The refusal for a journal whose guards failed: they are all looked at again, so that every failing field is named. */
async function refusalOf(writes: readonly Write[]): Promise<Error> {
  const guarded = writes.filter(({ guard }) => guard);
  const items = await getItems(guarded.map(({ key }) => key));
  return refusalFor(guarded.filter(({ guard }, index) => !guard?.if.holds(items[index] ?? {})));
}

function refusalFor(failed: readonly Write[]): Error {
  const refusals = failed.flatMap(({ guard }) => guard?.otherwise ?? []);
  const other = refusals.find(({ status }) => status !== 422);
  if (other) return other;
  if (refusals.length === 0 || refusals.length < failed.length) return new Contention();
  return invalid(Object.assign({}, ...refusals.map(({ fields }) => fields)));
}
