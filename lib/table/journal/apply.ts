import { BatchExecuteStatementCommand } from '@aws-sdk/lib-dynamodb';
import { LOCK } from '#lib/table/change/lock.ts';
import { writeOne } from '#lib/table/change/single.ts';
import { actionOf, bytesIn, type Target } from '#lib/table/change/write.ts';
import { CONNECTIONS, dynamo } from '#lib/table/client.ts';
import { equals } from '#lib/table/expression.ts';
import { sideBySide } from '#lib/table/side-by-side.ts';
import { piecesWithin } from '#lib/values/pieces.ts';
import { type Statement, statementOf } from './statement.ts';

/** DynamoDB takes no more statements in one call. */
const MOST_STATEMENTS = 25;

/** So that a call that fails has not sent much in vain. */
const MOST_BYTES = 400_000;

/** Batches under way at once: 200 changes. */
const BATCHES = 8;

/** A change, and the statement that says it. */
interface Said {
  readonly target: Target;
  readonly statement: Statement;
}

/**
 * Applies changes to items that bear a lock, and drops it: each by itself and once, whoever does it and
 * however often. An item without the lock is passed over: someone else was faster. What statements can say
 * goes 25 to a call, at the units of as many calls and a tenth of their work. What fails so is tried again by
 * a call of its own. Every change is tried, then the first failure is thrown.
 */
export async function applyAll(lock: string, targets: readonly Target[]): Promise<void> {
  const said: Said[] = [];
  const unsaid: Target[] = [];
  for (const target of targets.map(unlocking)) {
    const statement = statementOf(lock, target);
    if (statement) said.push({ target, statement });
    else unsaid.push(target);
  }
  const batches = piecesWithin(said, { count: MOST_STATEMENTS, size: MOST_BYTES }, ({ target }) =>
    bytesIn(target),
  );
  const failures = await Promise.all([
    sideBySide(batches, BATCHES, (batch) => applyBatch(lock, batch)),
    applySingly(lock, unsaid),
  ]);
  const [first] = failures.flat(2);
  if (first !== undefined) throw first;
}

/** Applies a batch; answers with the failures. */
async function applyBatch(lock: string, batch: readonly Said[]): Promise<unknown[]> {
  const Statements = batch.map(({ statement }) => statement);
  const answer = await dynamo.send(new BatchExecuteStatementCommand({ Statements })).catch(() => undefined);
  const failed = batch.filter((_, index) => {
    const response = answer?.Responses?.[index];
    return !response || (response.Error && response.Error.Code !== 'ConditionalCheckFailed');
  });
  return applySingly(
    lock,
    failed.map(({ target }) => target),
  );
}

/** Applies changes by a call each; answers with the failures. */
async function applySingly(lock: string, targets: readonly Target[]): Promise<unknown[]> {
  const failures = await sideBySide(targets, CONNECTIONS, ({ key, change }) =>
    writeOne(actionOf(key, change, [equals(LOCK, lock)])).then(
      () => [],
      (error: unknown) => [error],
    ),
  );
  return failures.flat();
}

/** Makes a change drop the lock; one that puts or removes the whole item does so anyway. */
function unlocking({ key, change }: Target): Target {
  if (change.kind !== 'update') return { key, change };
  return { key, change: { ...change, unset: [...new Set([...change.unset, LOCK])] } };
}
