import type { Reply } from '#bin/cli/person.ts';
import type { Task, TaskStep } from './operation.ts';
import type { StepOutcome } from './perform.ts';

/** Task with the client's means to perform it. */
export interface ClientTask extends Task {
  /** Performs an operation, whose outcome is later compared with the table. */
  readonly run: (step: TaskStep) => Promise<StepOutcome>;
  /** Calls once, without comparison; undefined if there was no response. */
  readonly ask: (request: string) => Promise<Reply | undefined>;
}

/** Maximum reads of a list until one succeeds or returns no rows. */
const MAX_LOOKS = 10;

/** Names a further step of a task. */
export function nextStep<T extends Task>(task: T, word: string): T {
  return { ...task, name: `${task.name}-${word}` };
}

/** Creates a record; returns its id if acknowledged. */
export async function createRecord({ run }: ClientTask, step: TaskStep): Promise<number | undefined> {
  const { outcome, ids } = await run(step);
  return outcome === 'done' ? ids[0] : undefined;
}

/** Reads the lines of a document; none if there was no response. */
export async function linesAt({ ask }: ClientTask, path: string): Promise<readonly Reply[]> {
  const reply = await ask(`GET ${path}`);
  return reply?.status === 200 ? reply.rows('products') : [];
}

/** Reads the ids of a list, retrying until one read succeeds. */
export async function idsIn({ ask }: ClientTask, path: string): Promise<readonly number[]> {
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const reply = await ask(`GET ${path}`);
    if (reply?.status === 200) return reply.rows().map((row) => row.number('id'));
  }
  return [];
}

/** Cancels stocktakes left open by other tasks, until there are none. */
export async function openWarehouses(errand: ClientTask): Promise<void> {
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const counts = await idsIn(errand, '/company/trade/inventory?filter[status]=in_progress');
    if (counts.length === 0) return;
    for (const id of counts) await errand.ask(`PATCH /company/trade/inventory/${id}/cancel`);
  }
}
