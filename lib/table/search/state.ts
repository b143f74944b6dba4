import * as z from 'zod';
import { actionOf } from '#lib/table/change/change.ts';
import { indexNoticeOf } from '#lib/table/change/index-notice.ts';
import { writeOne } from '#lib/table/change/send.ts';
import { put, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { equals } from '#lib/table/expression.ts';
import { unlocked } from '#lib/table/items.ts';
import { type Key, padId, type Source } from '#lib/table/keys.ts';
import { NO_PROGRESS, Progress } from '#lib/table/projection/progress.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { attributesOf, type SearchFields } from './document.ts';

/** A segment in the state: its name, the number of its records, and the first word of each block. */
export const SegmentInfo = z.object({ name: z.string(), rows: z.int(), first: z.array(z.string()) });

export type SegmentInfo = Readonly<z.output<typeof SegmentInfo>>;

/** The progress of a source's search. A single item: writing it ends an update. */
export const SearchState = Progress.extend({
  /** The searched and indexed fields. */
  fields: z.string(),
  /** Its segments, the oldest first. */
  segments: z.array(SegmentInfo),
  /** Ids and versions of the changes that the last update has covered; the next one removes them. */
  covered: z.array(z.tuple([z.int(), z.int()])),
});

export type SearchState = Readonly<z.output<typeof SearchState>>;

/** A record that has changed since its last update: its attributes of the search now. */
const Entry = z.object({ id: z.int(), version: z.int(), row: z.looseObject({}) });

/** Such a record, as in a segment. */
export interface SearchChange {
  readonly id: number;
  /** The record's version with these attributes. */
  readonly version: number;
  readonly row: Item & { readonly id: number };
}

/** The search of a source as it was read: its state, and the records that have changed after it. */
export interface SearchView {
  readonly state: SearchState | undefined;
  readonly changes: ReadonlyMap<number, SearchChange>;
}

// Sorts before all ids.
const STATE = '!state';

/** Returns the fields of a source's search; undefined if it has none. */
export function searchFieldsOf({ search, indexes = [] }: Source): SearchFields | undefined {
  return search && { search, indexes };
}

/**
 * Builds the write of a change, for the transaction that replaces a record: one item, whose last write
 * counts. None if no attribute of the search has changed.
 */
export function searchChangeWrites(
  source: Source,
  before: Item & { readonly id: number; readonly version: number },
  after: Item,
): Write[] {
  const fields = searchFieldsOf(source);
  if (!fields) return [];
  const [was, now] = [pick(fields, before), pick(fields, after)];
  if (JSON.stringify(was) === JSON.stringify(now)) return [];
  const { id, version } = before;
  const entry = { id, version: version + 1, row: now };
  return [{ ...put(changeKey(source, id), entry), notice: indexNoticeOf(source) }];
}

/** Reads a source's state and then its changes: the state sorts first. One round trip. */
export async function readSearch(source: Source): Promise<SearchView> {
  const items = await wholePartition(partitionOf(source));
  const state = items.find(({ sk }) => sk === STATE);
  const changes = items.flatMap((item) => (item['sk'] === STATE ? [] : [changeOf(item)]));
  return {
    state: state && SearchState.parse(state),
    changes: new Map(changes.map((change) => [change.id, change])),
  };
}

/** Removes a change after its update, unless another one has been made since. */
export async function removeSearchChange(
  source: Source,
  { id, version }: Pick<SearchChange, 'id' | 'version'>,
): Promise<void> {
  const same = [unlocked, equals('version', version)];
  await writeOne(actionOf(changeKey(source, id), { kind: 'remove' }, same));
}

/** Returns the state before the first update, or before a rebuild for other fields. */
export function newSearchState(fields: SearchFields, before: SearchState | undefined): SearchState {
  return { ...NO_PROGRESS, fold: before?.fold ?? 0, fields: fieldsText(fields), segments: [], covered: [] };
}

/** Returns true if a state is of these fields. */
export function isCurrentSearch(state: SearchState, fields: SearchFields): boolean {
  return state.fields === fieldsText(fields);
}

/** Returns the key of the state of a source's search. */
export function searchStateKey(source: Source): Key {
  return { pk: partitionOf(source), sk: STATE };
}

/** Returns the key of a block of a segment. */
export function blockKey(source: Source, name: string, block: number): Key {
  return { pk: `${partitionOf(source)}#${name}`, sk: padId(block) };
}

function pick(fields: SearchFields, record: Item): Record<string, unknown> {
  const named = attributesOf(fields).map((name) => [name, record[name]] as const);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined && value !== null));
}

function changeOf(item: Item): SearchChange {
  const { id, version, row } = Entry.parse(item);
  return { id, version, row: { ...row, id } };
}

function changeKey(source: Source, id: number): Key {
  return { pk: partitionOf(source), sk: padId(id) };
}

function partitionOf({ type, tenant }: Source): string {
  return `search#${type}#${tenant}`;
}

/** Number of the rule by which texts become words: segments of another are ignored and rebuilt. */
const WORDS_RULE = 2;

function fieldsText({ search, indexes }: SearchFields): string {
  return JSON.stringify([search, indexes, WORDS_RULE]);
}
