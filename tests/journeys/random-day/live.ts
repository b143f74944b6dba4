import type { Staff } from '#lib/auth/actor.ts';
import { retryOnContention } from '#lib/table/transaction/transact.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { killAfter } from '#tests/support/disrupted.ts';
import type { Day } from './day.ts';
import { callOf, type Kind, type Step } from './steps.ts';

/**
 * Goes a person's way through a day, and answers with the kinds of steps that the day let them do. A refused
 * step is tried with picks at further distances: another desk, warehouse or document may do.
 */
export async function live(
  day: Day,
  actor: Staff,
  steps: readonly Step[],
  distances: readonly number[] = [0],
): Promise<Kind[]> {
  const done: Kind[] = [];
  for (const step of steps) {
    for (const distance of distances) {
      if (!(await isDone(day, actor, { ...step, pick: step.pick + distance }))) continue;
      done.push(step.kind);
      break;
    }
  }
  return done;
}

/** Does a step, sent again if it was killed; false if there is nothing to do it with, or it is refused. */
async function isDone(day: Day, actor: Staff, step: Step): Promise<boolean> {
  try {
    // Others may change a document between the reads of its header and its lines.
    const call = await retryOnContention(() => callOf(day, actor, step));
    if (call) await killAfter(step.kill ?? Number.POSITIVE_INFINITY, call);
    return call !== undefined;
  } catch (error) {
    if (error instanceof ApiError) return false;
    throw error;
  }
}
