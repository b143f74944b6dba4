import type { Item } from '#lib/table/client.ts';
import type { Expression } from '#lib/table/expression.ts';
import { everIn, type SourceState } from '#lib/table/list-index/changes.ts';
import { isInHole } from '#lib/table/list-index/holes.ts';
import type { State } from '#lib/table/list-index/state.ts';
import type { Value } from '#lib/table/list-index/value.ts';
import type { Range } from '#lib/table/rows/ranges.ts';
import { idOf } from '#lib/table/rows/rows.ts';
import type { Wanted } from './wanted.ts';

/** Ids that were folded in but are judged without the indexes: whether each belongs to the list. */
export interface Judged {
  readonly state: State;
  readonly belongs: ReadonlyMap<number, boolean>;
  readonly changes: SourceState['byId'];
}

/** Records that have come into holes of the indexes, and how these stand. */
export interface Landed {
  readonly state: State;
  readonly landed: readonly Item[];
}

/**
 * Judges ids with a change of a wanted field by that change, and ids that have come into holes by their
 * records. Undefined if a change does not tell a field that is wanted.
 */
export function judge(
  { wanted, where }: { readonly wanted: Wanted; readonly where: Expression },
  { state, byId: changes, landed }: Pick<SourceState, 'byId'> & Landed,
  ranges: readonly Range[],
): Judged | undefined {
  const belongs = new Map<number, boolean>();
  const fields = wanted.groups.flat();
  for (const change of changes.values()) {
    if (change.id > state.upto) continue;
    if (fields.some(({ field }) => change.now[field] === undefined)) return undefined;
    if (fields.every(({ field }) => everIn(change, field).size === 1)) continue;
    const isWanted = wanted.groups.every((group) =>
      group.some(({ field, texts }) => texts.has(change.now[field] ?? '')),
    );
    belongs.set(change.id, isWanted && isWithin(ranges, change.id));
  }
  for (const row of landed) belongs.set(idOf(row), where.matches(row));
  return { state, belongs, changes };
}

/** Tells whether an id is judged without the indexes. */
export function isJudged({ state, belongs }: Judged, id: number): boolean {
  return id > state.upto || belongs.has(id) || isInHole(state.holes, id);
}

/** Finds the stretches in which an index may hold ids that it is not asked about. */
export function doubtsOf({ state, belongs, changes }: Judged, { field, text }: Value): Range[] {
  const changed = [...belongs.keys()].filter((id) => {
    const change = changes.get(id);
    return !change || everIn(change, field).has(text);
  });
  return [...state.holes, ...changed.map((id) => ({ from: id, to: id }))];
}

/** Tells whether an id is in one of some stretches. */
export function isWithin(ranges: readonly Range[], id: number): boolean {
  return ranges.some(({ from, to }) => from <= id && id <= to);
}
