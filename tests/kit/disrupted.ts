import { randomUUID } from 'node:crypto';
import { dropAnswer } from '#bench/chaos/fault.ts';
import type { FaultProxy } from '#bench/chaos/proxy.ts';
import { absent } from '#lib/table/expression.ts';
import { getItem } from '#lib/table/reads.ts';
import { put, type Write } from '#lib/table/transaction/write.ts';
import { Refusal } from '#lib/values/refusal.ts';
import { withCalls } from './life.ts';

/** An operation that is disrupted again and again. */
interface Disrupted<T> {
  /** Sets the scene for it, undisturbed. */
  readonly prepare: () => Promise<T>;
  readonly run: (scene: T, remember: () => Write[]) => Promise<unknown>;
  /** Expects that nothing has been done, whenever it was killed before it was made. */
  readonly undone?: (scene: T, times: number) => Promise<void>;
  /** Expects that it has been done once, after so many times in all. */
  readonly check: (scene: T, times: number) => Promise<void>;
}

/**
 * Kills an operation after each of its calls to the table in turn, sends it again under its key if it was not
 * made, and expects each time that it was done once. Answers with how often that was.
 */
export async function killedEverywhere<T>({ prepare, run, undone, check }: Disrupted<T>): Promise<number> {
  let times = 0;
  for (let lived = false; !lived; ) {
    const scene = await prepare();
    const before = times;
    lived = await killedAfter(
      before,
      (remember) => run(scene, remember),
      async () => undone?.(scene, before),
    );
    times += 1;
    await check(scene, times);
  }
  return times;
}

/**
 * Kills an operation after so many of its calls to the table, and sends it again under its key if it was not
 * made; false if it was killed.
 */
export async function killedAfter(
  calls: number,
  run: (remember: () => Write[]) => Promise<unknown>,
  undone: () => Promise<void> = async () => undefined,
): Promise<boolean> {
  const { remember, isMade } = newKey();
  const lived = await withCalls(calls, () => run(remember));
  if (!(await isMade())) {
    await undone();
    await run(remember);
  }
  return lived;
}

/**
 * Loses the answer to each of an operation's calls to the table in turn. Whatever its caller is told, it must
 * have been done once by then, or be done when it is sent again. Answers with how often that was.
 */
export async function unansweredEverywhere<T>(
  proxy: FaultProxy,
  { prepare, run, check }: Disrupted<T>,
): Promise<number> {
  let times = 0;
  for (let isMet = true; isMet; ) {
    const scene = await prepare();
    const { remember, isMade } = newKey();
    let calls = 0;
    const rule = proxy.on(() => calls++ === times, dropAnswer);
    // As `runOnce` does: who fails looks whether it was made after all.
    await run(scene, remember).catch(async (error: unknown) => {
      if (!(await isMade())) throw error;
    });
    isMet = rule.count > 0;
    rule.off();
    await proxy.idle();
    times += 1;
    await check(scene, times);
  }
  return times;
}

function newKey() {
  const key = { pk: `idempotency#test-${randomUUID()}`, sk: 'key' };
  const otherwise = new Refusal(409, { key: 'idempotency.still_running' });
  return {
    remember: () => [put(key, { kept: true }, { if: absent('pk'), otherwise })],
    isMade: async () => (await getItem(key)) !== undefined,
  };
}
