import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { dropAnswer, stayMute } from '#bench/chaos/fault.ts';
import type { FaultProxy } from '#bench/chaos/proxy.ts';
import type { WireKey } from '#bench/chaos/wire-key.ts';
import { idempotentCallOf, runOnce } from '#lib/http/definition/idempotency.ts';
import { jsonResponse } from '#lib/http/wire/response.ts';
import { asCall } from './as-call.ts';
import { newEvent } from './event.ts';
import { withCalls } from './kill-after-calls.ts';
import type { AnswerWrites } from './save-response.ts';
import { showInPart } from './table-faults.ts';

/** An operation that is disrupted again and again. */
interface Disrupted<T> {
  /** Sets the scene for it, undisturbed. */
  readonly prepare: () => Promise<T>;
  readonly run: (scene: T, saveResponse: AnswerWrites) => Promise<unknown>;
  /** Expects that nothing has been done, whenever it was killed before it was made. */
  readonly undone?: (scene: T, times: number) => Promise<void>;
  /** Expects that it has been executed once in this scene, after `times` scenes in all. */
  readonly check: (scene: T, times: number) => Promise<void>;
  /** Set if it saves no response: its subject makes it idempotent. */
  readonly isKeyless?: boolean;
}

/** Operation on sums of `standing`, with the change of each by one execution. */
interface Moving {
  readonly prepare: () => Promise<number>;
  readonly run: (id: number, saveResponse: AnswerWrites) => Promise<unknown>;
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
 * Tests that an operation is executed once, for a kill or a lost response at any call. It must make more
 * calls to the table than the given number: a test of none would pass.
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

  test('whose transaction is made and never answered is done once', async () => {
    await silenceWrite(proxy, await disrupted());
  });

  test('sent again while its transaction is visible in part is done once, and reported so', async () => {
    await seeInPart(proxy, await disrupted());
  });
}

/**
 * Kills an operation after each of its calls to the table in turn, sends it again under its key if it was not
 * made, and expects each time that it was done once. Returns how often that was.
 */
async function killAfterEachCall<T>(disrupted: Disrupted<T>): Promise<number> {
  const { prepare, run, undone, check } = disrupted;
  for (let call = 0; ; call++) {
    const scene = await asCall(prepare);
    const lived = await killAfter(
      call,
      (saveResponse) => run(scene, saveResponse),
      () => asCall(async () => undone?.(scene, call)),
    );
    await asCall(() => check(scene, call + 1));
    if (lived) return call + 1;
  }
}

/**
 * Kills an operation after a number of its calls to the table, and repeats it under its key if it was not
 * executed; false if it was killed.
 */
export async function killAfter(
  calls: number,
  run: (saveResponse: AnswerWrites) => Promise<unknown>,
  undone: () => Promise<void> = async () => undefined,
): Promise<boolean> {
  const { saveResponse, isMade } = newKey();
  const lived = await withCalls(calls, () => run(saveResponse));
  if (!(await isMade())) {
    await undone();
    await run(saveResponse);
  }
  return lived;
}

/**
 * Drops the response to each of an operation's calls to the table in turn. For any outcome reported to the
 * caller, the operation must have been executed once by then, or be executed when it is sent again. Returns
 * the number of calls.
 */
async function loseEachAnswer<T>(proxy: FaultProxy, { prepare, run, check }: Disrupted<T>): Promise<number> {
  for (let call = 0; ; call++) {
    const scene = await asCall(prepare);
    const { saveResponse, again } = newKey();
    let calls = 0;
    const rule = proxy.on(() => calls++ === call, dropAnswer);
    // Who fails looks whether it was made after all.
    await again(() => run(scene, saveResponse));
    rule.off();
    await proxy.idle();
    await asCall(() => check(scene, call + 1));
    if (rule.count === 0) return call + 1;
  }
}

/** Executes the first transaction of an operation without a response: the call is given up and repeated. */
async function silenceWrite<T>(proxy: FaultProxy, { prepare, run, check }: Disrupted<T>): Promise<void> {
  const scene = await asCall(prepare);
  const { saveResponse, again } = newKey();
  const rule = proxy.on(({ operation }) => operation === 'TransactWriteItems', stayMute({ isDone: true }));
  await again(() => run(scene, saveResponse));
  rule.off();
  expect(rule.count).toBe(1);
  await asCall(() => check(scene, 1));
}

/** Parts of a transaction to be seen late: its answer, all but that, and each half of its items. */
const PARTS: readonly ((isAnswer: boolean, place: number) => boolean)[] = [
  (isAnswer) => isAnswer,
  (isAnswer) => !isAnswer,
  (_, place) => place % 2 === 0,
  (_, place) => place % 2 === 1,
];

/**
 * Repeats an operation while its own transaction is visible in part, as DynamoDB allows. The second call must
 * return the result of the first one.
 */
async function seeInPart<T>(
  proxy: FaultProxy,
  { prepare, run, check, isKeyless = false }: Disrupted<T>,
): Promise<void> {
  for (const [index, isPart] of PARTS.entries()) {
    const scene = await asCall(prepare);
    const { saveResponse, isMade, isKey, again } = newKey();
    await showInPart(
      proxy,
      { of: (key) => isKeyless || isKey(key), isLate: (key, place) => isPart(isKey(key), place) },
      () => run(scene, saveResponse),
      () => again(() => run(scene, saveResponse)),
    );
    expect(await isMade()).toBe(!isKeyless);
    await asCall(() => check(scene, index + 1));
  }
}

/** Creates a key as a caller sends it. */
function newKey() {
  const [event] = newEvent({ headers: { 'idempotency-key': randomUUID() }, method: 'POST' });
  const repetition = idempotentCallOf(event, 0, () => '{}');
  if (!repetition) throw new Error('There is a key');
  const isKey = ({ pk, sk }: WireKey) =>
    pk === 'idempotency#user-0' && sk === event.headers['idempotency-key'];
  return {
    isKey,
    saveResponse: () => repetition.saveResponse(undefined),
    isMade: async () => (await repetition.recall()) !== undefined,
    /** Does work as the repetition of a call does that has not seen its answer: it must end well. */
    again: (work: () => Promise<unknown>) =>
      runOnce(repetition, undefined, {
        run: async () => {
          await work();
          return jsonResponse('{}', 200);
        },
        reread: () => Promise.reject(new Error('Nothing is too large to keep')),
      }),
  };
}
