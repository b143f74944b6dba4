import { familyTenant, partition } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import type { StepOutcome } from './perform.ts';
import { BOOKS, tracesIn } from './traces.ts';

/** As many documents are looked at side by side as there are connections. */
const SIDE_BY_SIDE = 50;

/** The ids of documents, by the traces that operations have left in them. */
type Done = Map<string, number[]>;

/** Finds out what was done in families. */
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

/** Compares what clients were told with what was done; answers with what does not agree. */
export function disagreements(told: readonly StepOutcome[], done: Done): { name: string; what: string }[] {
  const byTrace = Map.groupBy(told, ({ operation: { name, trace = name } }) => trace);
  return told.flatMap(({ operation, outcome, ids, statuses }) => {
    const { name, trace = name } = operation;
    if (trace === null) return [];
    // Two may close one shift: the one who is refused finds it closed by the other.
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
