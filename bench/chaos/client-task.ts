import type { Reply } from '#bin/cli/person.ts';
import type { Task, TaskStep } from './operation.ts';
import type { StepOutcome } from './perform.ts';

/** A task, and how its client does it. */
export interface ClientTask extends Task {
  /** Does an operation, which is then compared with what the table tells. */
  readonly run: (step: TaskStep) => Promise<StepOutcome>;
  /** Calls once, for nobody to compare; undefined if no answer came. */
  readonly ask: (request: string) => Promise<Reply | undefined>;
}

/** How often a list is asked for until it is answered, or is empty. */
const MAX_LOOKS = 10;

/** Names a further step of an errand. */
export function nextStep<T extends Task>(task: T, word: string): T {
  return { ...task, name: `${task.name}-${word}` };
}

/** Makes something; gives its id if that is acknowledged. */
export async function createRecord({ run }: ClientTask, step: TaskStep): Promise<number | undefined> {
  const { outcome, ids } = await run(step);
  return outcome === 'done' ? ids[0] : undefined;
}

/** Reads the lines of a document; none if no answer comes. */
export async function linesAt({ ask }: ClientTask, path: string): Promise<readonly Reply[]> {
  const reply = await ask(`GET ${path}`);
  return reply?.status === 200 ? reply.rows('products') : [];
}

/** Asks for the ids in a list until it is answered. */
export async function idsIn({ ask }: ClientTask, path: string): Promise<readonly number[]> {
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const reply = await ask(`GET ${path}`);
    if (reply?.status === 200) return reply.rows().map((row) => row.number('id'));
  }
  return [];
}

/** Cancels the counts that somebody has left open, until there are none. */
export async function openWarehouses(errand: ClientTask): Promise<void> {
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    const counts = await idsIn(errand, '/company/trade/inventory?filter[status]=in_progress');
    if (counts.length === 0) return;
    for (const id of counts) await errand.ask(`PATCH /company/trade/inventory/${id}/cancel`);
  }
}
