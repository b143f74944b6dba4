import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { dropAnswer } from '#bench/chaos/fault.ts';
import type { FaultProxy } from '#bench/chaos/proxy.ts';
import { put } from '#lib/table/change/write.ts';
import { absent } from '#lib/table/expression.ts';
import { getItem } from '#lib/table/read/get.ts';
import { Refusal } from '#lib/values/refusal.ts';
import { asCall } from './as-call.ts';
import { withCalls } from './life.ts';
import type { AnswerWrites } from './remember.ts';

/** An operation that is disrupted again and again. */
interface Disrupted<T> {
  /** Sets the scene for it, undisturbed. */
  readonly prepare: () => Promise<T>;
  readonly run: (scene: T, remember: AnswerWrites) => Promise<unknown>;
  /** Expects that nothing has been done, whenever it was killed before it was made. */
  readonly undone?: (scene: T, times: number) => Promise<void>;
  /** Expects that it has been done once, after so many times in all. */
  readonly check: (scene: T, times: number) => Promise<void>;
  /** The call to be disrupted after another; each in turn if left out. */
  readonly next?: (call: number) => number;
}

/** An operation on sums of `standing`, with what one run of it changes of each. */
interface Moving {
  readonly prepare: () => Promise<number>;
  readonly run: (id: number, remember: AnswerWrites) => Promise<unknown>;
  readonly change: readonly number[];
}

/** Tests each operation like `testDisrupted`, by the sums that it changes. */
export function testMovements(
  proxy: FaultProxy,
  operations: Readonly<Record<string, Moving>>,
  standing: () => Promise<readonly number[]>,
  moreThan: number,
): void {
  describe.each(Object.entries(operations))('%s', (_, { prepare, run, change }) => {
    testDisrupted(proxy, moreThan, async () => {
      const before = await standing();
      const check = async (__: number, times: number) => {
        expect(await standing()).toEqual(before.map((sum, index) => sum + times * (change[index] ?? 0)));
      };
      return { prepare, run, check };
    });
  });
}

/**
 * Tests that an operation is done once, wherever it is killed and whichever answer is lost. It must make more
 * calls to the table than so many: a test of none would pass.
 */
export function testDisrupted<T>(
  proxy: FaultProxy,
  moreThan: number,
  disrupted: () => Promise<Disrupted<T>>,
): void {
  test('killed after any of its calls, and sent again, is done once', async () => {
    expect(await killAfterEachCall(await disrupted())).toBeGreaterThan(moreThan);
  });

  test('whose answer from the table is lost at any call is done once', async () => {
    expect(await loseEachAnswer(proxy, await disrupted())).toBeGreaterThan(moreThan);
  });
}

/**
 * Kills an operation after each of its calls to the table in turn, sends it again under its key if it was not
 * made, and expects each time that it was done once. Answers with how often that was.
 */
export async function killAfterEachCall<T>(disrupted: Disrupted<T>): Promise<number> {
  const { prepare, run, undone, check, next = EACH } = disrupted;
  let times = 0;
  for (let call = 0, lived = false; !lived; call = next(call)) {
    const scene = await asCall(prepare);
    const before = times;
    lived = await killAfter(
      call,
      (remember) => run(scene, remember),
      () => asCall(async () => undone?.(scene, before)),
    );
    times += 1;
    await asCall(() => check(scene, times));
  }
  return times;
}

const EACH = (call: number): number => call + 1;

/**
 * Kills an operation after so many of its calls to the table, and sends it again under its key if it was not
 * made; false if it was killed.
 */
export async function killAfter(
  calls: number,
  run: (remember: AnswerWrites) => Promise<unknown>,
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
export async function loseEachAnswer<T>(
  proxy: FaultProxy,
  { prepare, run, check, next = EACH }: Disrupted<T>,
): Promise<number> {
  let times = 0;
  for (let call = 0, isMet = true; isMet; call = next(call)) {
    const scene = await asCall(prepare);
    const { remember, isMade } = newKey();
    let calls = 0;
    const rule = proxy.on(() => calls++ === call, dropAnswer);
    // As `runOnce` does: who fails looks whether it was made after all.
    await run(scene, remember).catch(async (error: unknown) => {
      if (!(await isMade())) throw error;
    });
    isMet = rule.count > 0;
    rule.off();
    await proxy.idle();
    times += 1;
    await asCall(() => check(scene, times));
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
