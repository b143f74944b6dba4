import { familyTenant, partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import type { StepOutcome } from './perform.ts';
import { BOOKS, tracesIn } from './traces.ts';

/** Number of documents read concurrently, the same as the number of connections. */
const SIDE_BY_SIDE = 50;

/** Ids of documents, by the traces that operations have left in them. */
type Done = Map<string, number[]>;

/** Reads the operations executed in families. */
export async function readOutcomes(familyIds: readonly number[]): Promise<Done> {
  const done: Done = new Map();
  for (const familyId of familyIds) {
    for (const book of BOOKS) {
      for await (const items of walk(partition(book.type, familyTenant(familyId)))) {
        const found = await mapConcurrent(items, SIDE_BY_SIDE, (item) => tracesIn(book, familyId, item));
        for (const { trace, id } of found.flat()) done.set(trace, [...(done.get(trace) ?? []), id]);
      }
    }
  }
  return done;
}

/** Compares the outcomes reported to clients with the executed operations; returns disagreements. */
export function disagreements(
  outcomes: readonly StepOutcome[],
  done: Done,
): { name: string; what: string }[] {
  const byTrace = Map.groupBy(outcomes, ({ operation: { name, trace = name } }) => trace);
  return outcomes.flatMap(({ operation, outcome, ids, statuses }) => {
    const { name, trace = name } = operation;
    if (trace === null) return [];
    // Two clients may close one shift: the refused one finds it closed by the other.
    const isOthers = byTrace.get(trace)?.some((each) => each.outcome !== 'refused');
    const made = done.get(trace) ?? [];
    const say = (what: string) => [{ name, what: `${name}, ${operation.request}: ${what}` }];
    if (made.length > 1) return say(`done ${made.length} times, as ${made.join(', ')}`);
    if (outcome === 'done' && made.length === 0) return say(`answered ${statuses}, and not done`);
    if (outcome === 'refused' && made.length > 0 && !isOthers)
      return say(`answered ${statuses}, and done as ${made}`);
    if (ids.some((id) => id !== made[0])) return say(`answered ${ids}, and done as ${made}`);
    return [];
  });
}
