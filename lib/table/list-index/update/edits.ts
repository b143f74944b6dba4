import { putOne } from '#lib/table/change/send.ts';
import type { Item } from '#lib/table/client.ts';
import { getRawItems } from '#lib/table/items.ts';
import type { Source } from '#lib/table/keys.ts';
import { allValuesIn, type ChangeEntry } from '#lib/table/list-index/changes.ts';
import { addDays, Days, instantsOf, NO_DAYS } from '#lib/table/list-index/days.ts';
import { chunksFor, editIndex, type IndexEdit } from '#lib/table/list-index/edit.ts';
import { type Chunk, indexFrom } from '#lib/table/list-index/manifest.ts';
import {
  chunkAddressOf,
  type LoadedChunks,
  loadChunks,
  MAX_CONCURRENT_WRITES,
  writeIndex,
} from '#lib/table/list-index/store.ts';
import {
  ALL,
  chunkPartition,
  daysKey,
  type IndexedValue,
  type IndexLocation,
  indexKey,
} from '#lib/table/list-index/value.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import type { IncomingRecord, IndexUpdate } from './work.ts';

/** The edit of a value's index. */
interface ValueEdit extends IndexEdit {
  readonly value: IndexedValue;
  readonly add: Set<number>;
  readonly remove: Set<number>;
  /** True if a change refers to it: then it is written even if unchanged. */
  isNamed: boolean;
}

type Edits = Map<string, ValueEdit>;

/**
 * Writes the indexes affected by an index update, once everything has been read and `isSame` confirms that
 * its input is unchanged. False if another worker was faster.
 */
export async function writeEdits(
  source: Source,
  work: IndexUpdate,
  isSame: () => Promise<boolean>,
  at: number,
): Promise<boolean> {
  const { upto, generation } = work.before;
  const place = { source, generation };
  const edits = [...editsOf(work).values()];
  const keys = edits.map(({ value }) => indexKey(place, value));
  const instants = instantsOf(work.before);
  const daysKeys = instants.map((instant) => daysKey(place, instant));
  const found = await getRawItems([...daysKeys, ...keys]);
  const items = found.slice(daysKeys.length);
  const targets = edits.map((edit, each) => {
    const index = indexFrom(items[each]);
    const pk = chunkPartition(place, edit.value);
    return { edit, index, pk, chunks: chunksFor(index, edit) };
  });
  const loaded: LoadedChunks = new Map();
  const places = targets.flatMap(({ pk, chunks }) => chunks.map((chunk) => ({ pk, chunk })));
  const [isStill] = await Promise.all([isSame(), loadChunks(places, loaded)]);
  if (!isStill) return false;
  const outcomes = await mapConcurrent(targets, MAX_CONCURRENT_WRITES, ({ edit, index, pk, chunks }) => {
    const ids = new Map<Chunk, readonly number[]>(
      chunks.map((chunk) => [chunk, loaded.get(chunkAddressOf({ pk, chunk })) ?? []]),
    );
    const after = editIndex(index, edit, { fold: work.after.fold, upto }, ids);
    const isWritten = after.isChanged || edit.isNamed;
    return isWritten ? writeIndex(indexKey(place, edit.value), pk, after, at) : Promise.resolve(true);
  });
  if (!outcomes.every(Boolean)) return false;
  const written = await Promise.all(
    instants.map((instant, each) => writeDays({ place, instant }, work, found[each])),
  );
  return written.every(Boolean);
}

function editsOf({ before: { fields }, news, changes }: IndexUpdate): Edits {
  const edits: Edits = new Map();
  const changing = new Map(changes.map((change) => [change.id, change]));
  const fresh = new Set(news.map(({ id }) => id));
  for (const row of news) addNews(edits, fields, row, changing.get(row.id));
  for (const change of changes) {
    for (const field of fields) addChange(edits, field, change, fresh.has(change.id));
  }
  return edits;
}

/**
 * Adds a record to the index of all, and to those of its values unless a pending change has the present ones.
 */
function addNews(
  edits: Edits,
  fields: readonly string[],
  { id, texts }: IncomingRecord,
  change: ChangeEntry | undefined,
): void {
  editOf(edits, ALL).add.add(id);
  for (const field of fields) {
    const text = texts[field];
    if (typeof text === 'string' && change?.now[field] === undefined) {
      editOf(edits, { field, text }).add.add(id);
    }
  }
}

/**
 * Moves an id from the indexes of all former values of a field to that of its present one. `isFresh` for an
 * id that was never indexed.
 */
function addChange(edits: Edits, field: string, change: ChangeEntry, isFresh: boolean): void {
  const [now, ever] = [change.now[field], allValuesIn(change, field)];
  if (now === undefined || (ever.size === 1 && !isFresh)) return;
  for (const text of ever) {
    if (typeof text !== 'string') continue;
    const edit = editOf(edits, { field, text });
    edit.isNamed = true;
    (text === now ? edit.add : edit.remove).add(change.id);
  }
}

function editOf(edits: Edits, value: IndexedValue): ValueEdit {
  const name = `${value.field}\n${value.text}`;
  const edit = edits.get(name) ?? { value, add: new Set(), remove: new Set(), isNamed: false };
  edits.set(name, edit);
  return edit;
}

async function writeDays(
  { place, instant }: { readonly place: IndexLocation; readonly instant: string },
  { before: { upto }, news }: IndexUpdate,
  item: Item | undefined,
): Promise<boolean> {
  const { version, runs } = Days.safeParse(item).data ?? NO_DAYS;
  if (!runs) return true;
  // Later runs are from an unfinished index update.
  const sure = runs.filter(({ first }) => first <= upto);
  const after = addDays(
    sure,
    upto,
    news.map(({ id, days }) => ({ id, day: days[instant] ?? 0 })).sort((a, b) => a.id - b.id),
  );
  const isAsBefore = JSON.stringify(after) === JSON.stringify(runs);
  if (isAsBefore) return true;
  return putOne(daysKey(place, instant), Days.encode({ version: version + 1, runs: after }), version);
}
