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

/**
 * A change of a record's indexed fields since its id was last folded in: what they are now, and all they
 * were.
 */
export interface ChangeEntry {
  readonly id: number;
  /** The version of the record as it is `now`. */
  readonly version: number;
  readonly now: z.output<typeof Texts>;
  readonly were: readonly z.output<typeof Texts>[];
}

/**
 * The content of a source's partition of changes: how far its indexes have come, and what has changed since.
 */
export interface SourceState {
  /** Undefined if it has no indexes yet. */
  readonly state: IndexState | undefined;
  readonly byId: ReadonlyMap<number, ChangeEntry>;
}

// It sorts before all ids.
const STATE = '!state';

const WAS = 'was_';

/**
 * Builds the write of a change, for the transaction that replaces a record that was read: one item for each
 * id, whatever has become of it since it was last folded in. None if no indexed field has changed.
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
 * Lists everything a field has been since the id was last folded in. The one index that holds the id is among
 * these.
 */
export function allValuesIn(
  { now, were }: ChangeEntry,
  field: string,
): ReadonlySet<string | null | undefined> {
  return new Set([now[field], ...were.map((was) => was[field])]);
}

/** Removes a change that has been folded in, unless there has been another since. */
export async function removeChange(source: Source, { id, version }: ChangeEntry): Promise<void> {
  await writeOne(actionOf(changeKey(source, id), { kind: 'remove' }, [unlocked, equals('version', version)]));
}

/** Gives the key of the state of a source's indexes. */
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
