import * as z from 'zod';
import { actionOf } from '#lib/table/change/change.ts';
import { indexNoticeOf } from '#lib/table/change/index-notice.ts';
import { writeOne } from '#lib/table/change/send.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { equals } from '#lib/table/expression.ts';
import { unlocked } from '#lib/table/items.ts';
import { type Key, padId, type Source } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { IndexState } from './state.ts';
import { textsOf } from './value.ts';

const Texts = z.record(z.string(), z.string().nullable());

const Entry = z.looseObject({ id: z.int(), version: z.int(), now: Texts });

/** A pending change of a record's indexed fields: the present values, and all since its last index update. */
export interface ChangeEntry {
  readonly id: number;
  /** The record's version with the values `now`. */
  readonly version: number;
  readonly now: z.output<typeof Texts>;
  readonly were: readonly z.output<typeof Texts>[];
}

/** A source's partition of pending changes: the state of its indexes, and the changes after it. */
export interface SourceState {
  /** Undefined until the indexes are built. */
  readonly state: IndexState | undefined;
  readonly byId: ReadonlyMap<number, ChangeEntry>;
}

// Sorts before all ids.
const STATE = '!state';

const WAS = 'was_';

/**
 * Builds the write of a pending change, for the transaction that replaces a record: one item per id, for any
 * number of changes since its last index update. None if no indexed field has changed.
 */
export function changeWrites(
  source: Source,
  before: Item & { readonly id: number; readonly version: number },
  after: Item,
): Write[] {
  const fields = source.indexes ?? [];
  const { id, version } = before;
  const [was, now] = [textsOf(fields, before), textsOf(fields, after)];
  if (fields.every((field) => was[field] === now[field])) return [];
  const set = { id, version: version + 1, now, [`${WAS}${version}`]: was };
  return [{ ...update(changeKey(source, id), { set }), notice: indexNoticeOf(source) }];
}

/**
 * Reads the state of a source's indexes and the changes after it, in this order: the state sorts first. One
 * round trip.
 */
export async function readChanges(source: Source): Promise<SourceState> {
  const items = await wholePartition(partitionOf(source));
  const changes = items.flatMap((item) => (item['sk'] === STATE ? [] : changeOf(item)));
  const state = items.find(({ sk }) => sk === STATE);
  return {
    state: state && IndexState.parse(state),
    byId: new Map(changes.map((change) => [change.id, change])),
  };
}

/**
 * Returns every value of a field since the id's last index update. The only index that contains the id is
 * that of one of these values.
 */
export function allValuesIn(
  { now, were }: ChangeEntry,
  field: string,
): ReadonlySet<string | null | undefined> {
  return new Set([now[field], ...were.map((was) => was[field])]);
}

/** Removes a change after its index update, unless another one has been made since. */
export async function removeChange(source: Source, { id, version }: ChangeEntry): Promise<void> {
  await writeOne(actionOf(changeKey(source, id), { kind: 'remove' }, [unlocked, equals('version', version)]));
}

/** Returns the key of the state of a source's indexes. */
export function stateKey(source: Source): Key {
  return { pk: partitionOf(source), sk: STATE };
}

function changeKey(source: Source, id: number): Key {
  return { pk: partitionOf(source), sk: padId(id) };
}

function partitionOf({ type, tenant }: Source): string {
  return `changes#${type}#${tenant}`;
}

function changeOf(item: Item): ChangeEntry {
  const { id, version, now, ...others } = Entry.parse(item);
  const former = Object.entries(others).filter(([name]) => name.startsWith(WAS));
  const were = former.map(([, was]) => Texts.parse(was));
  return { id, version, now, were };
}
