import { NOTICE_INTERVAL } from '#lib/table/change/index-notice.ts';
import { getRawItems } from '#lib/table/items.ts';
import { type Source, sequencesKey } from '#lib/table/keys.ts';
import { readChanges, stateKey } from '#lib/table/list-index/changes.ts';
import { lastIdIn } from '#lib/table/sequences.ts';

/** Pending changes of a small source that cost readers less than indexes would. */
const FEW = 16;

/**
 * Returns true if a source needs indexes: it has some, or it has more records than a reader reads at once. A
 * smaller one needs them only if many of its records have changed, or one of them often: a change is stored
 * until the next index update, and must neither slow readers down nor grow.
 */
export async function needsIndexes(source: Source): Promise<boolean> {
  const [state, counters] = await getRawItems([stateKey(source), sequencesKey(source.tenant)]);
  if (state || lastIdIn(counters, source.type) >= NOTICE_INTERVAL) return true;
  const changes = [...(await readChanges(source)).byId.values()];
  return changes.length >= FEW || changes.some(({ were }) => were.length >= FEW);
}
