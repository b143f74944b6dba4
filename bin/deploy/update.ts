import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { print } from '../cli/main.ts';
import { findStack } from '../stage/stack.ts';

const LOOK_EVERY_MS = 5_000;

/** Status of a stack with a change set that was never executed: it remains like this. */
const PREPARED = 'REVIEW_IN_PROGRESS';

/**
 * Deploys a stage by CDK. If that fails halfway it returns the stack's status; it throws if nothing has
 * begun.
 */
export async function updateStack(stage: string, others: readonly string[]): Promise<string | undefined> {
  const stack = `retail-${stage}`;
  const before = await stillStack(stack);
  const args = ['cdk', 'deploy', stack, '-c', `stage=${stage}`, '--require-approval', 'never', ...others];
  const [code] = await once(spawn('npx', args, { stdio: 'inherit' }), 'exit');
  if (code === 0) return undefined;
  const after = await stillStack(stack);
  const isSame = before?.changed === after?.changed;
  if (isSame || !after) throw new Error('The deployment has not begun: the stage is as it was.');
  if (after.status === 'UPDATE_ROLLBACK_FAILED')
    return `The deployment failed: the stack is ${after.status} (docs/deployment.md, "An update that failed").`;
  return after.status.endsWith('ROLLBACK_COMPLETE')
    ? 'The deployment failed: CloudFormation has taken it back by itself.'
    : `The deployment failed: the stack is ${after.status}.`;
}

/** Waits until a stack is no longer changing: an interrupted deployment continues there. */
async function stillStack(name: string) {
  for (let isTold = false; ; isTold = true) {
    const stack = await findStack(name);
    const status = stack?.StackStatus ?? PREPARED;
    if (status === PREPARED || !status.endsWith('_IN_PROGRESS')) {
      return stack && { status, changed: (stack.LastUpdatedTime ?? stack.CreationTime)?.getTime() };
    }
    if (!isTold) print(`The stack ${name} is ${status}: waits for its end.`);
    await pause(LOOK_EVERY_MS);
  }
}
