import type { Item } from '#lib/table/client.ts';
import type { Expression } from '#lib/table/expression.ts';
import type { Source } from '#lib/table/keys.ts';
import { allValuesIn, type SourceState } from '#lib/table/list-index/changes.ts';
import { type DayRange, dayRangeOf, instantsOf } from '#lib/table/list-index/days.ts';
import type { IndexState } from '#lib/table/list-index/state.ts';
import { type IndexedValue, textOf } from '#lib/table/list-index/value.ts';
import { isInGap } from '#lib/table/projection/progress.ts';
import { idOf, type Range } from '#lib/table/read/ranges.ts';
import type { ListRequest } from '#lib/table/read/request.ts';

/** A request's question to the indexes: days, and in each group one of some values of one of its fields. */
export interface IndexQuery {
  readonly groups: readonly (readonly IndexQueryField[])[];
  /** Days of instants; none if any will do. */
  readonly days: readonly DayRange[];
}

export interface IndexQueryField {
  readonly field: string;
  readonly texts: ReadonlySet<string>;
}

/** Finds what a request asks of the indexes; undefined if it asks for more than they know. */
export function indexQueryOf(source: Source, { where, sort }: ListRequest): IndexQuery | undefined {
  const { indexes = [] } = source;
  if (sort.field !== 'id') return undefined;
  const fields = new Map<string, ReadonlySet<string>>();
  const groups: (readonly IndexQueryField[])[] = [];
  const days: DayRange[] = [];
  for (const expression of where) {
    const asked = fieldAsked(expression, indexes);
    const group = asked ? undefined : groupAsked(expression, indexes);
    const period = dayRangeOf(expression, instantsOf(source));
    if (asked) fields.set(asked.field, common(fields.get(asked.field), asked.texts));
    else if (group) groups.push(group);
    else if (period) days.push(period);
    else return undefined;
  }
  return { groups: [...[...fields].map(([field, texts]) => [{ field, texts }]), ...groups], days };
}

/** Tells whether all that is wanted is of one field, of which no record has two values. */
export function isSingleField({ groups: [first = [], ...others] }: IndexQuery): boolean {
  return first.length <= 1 && others.length === 0;
}

/** Tells whether the indexes of a source, as they are now, can tell what is wanted. */
export function canAnswer({ groups, days }: IndexQuery, state: IndexState, zone: string): boolean {
  if (days.length > 0 && state.zone !== zone) return false;
  const kept = instantsOf(state);
  return (
    groups.flat().every(({ field }) => state.fields.includes(field)) &&
    days.every(({ field }) => kept.includes(field))
  );
}

/** Lists the values whose indexes a group wants. */
export function valuesOf(group: readonly IndexQueryField[]): IndexedValue[] {
  return group.flatMap(({ field, texts }) => [...texts].map((text) => ({ field, text })));
}

function groupAsked({ either = [] }: Expression, indexes: readonly string[]): IndexQueryField[] | undefined {
  const group = either.flatMap((each) => fieldAsked(each, indexes) ?? []);
  return group.length > 0 && group.length === either.length ? group : undefined;
}

function fieldAsked({ paths, values }: Expression, indexes: readonly string[]): IndexQueryField | undefined {
  const [field = ''] = paths;
  if (!values || !indexes.includes(field)) return undefined;
  const texts = values.map(textOf);
  // A value without a text has no index.
  if (texts.includes(null)) return undefined;
  return { field, texts: new Set(texts.filter((text) => text !== null)) };
}

function common(a: ReadonlySet<string> | undefined, b: ReadonlySet<string>): ReadonlySet<string> {
  return a ? new Set([...a].filter((text) => b.has(text))) : b;
}

/** Ids that were folded in but are judged without the indexes: whether each belongs to the list. */
export interface DecidedIds {
  readonly state: IndexState;
  readonly belongs: ReadonlyMap<number, boolean>;
  readonly changes: SourceState['byId'];
}

/** Records that have come into holes of the indexes, and how these stand. */
export interface GapArrivals {
  readonly state: IndexState;
  readonly landed: readonly Item[];
}

/**
 * Judges ids with a change of a wanted field by that change, and ids that have come into holes by their
 * records. Undefined if a change does not tell a field that is wanted.
 */
export function decideIds(
  { wanted, where }: { readonly wanted: IndexQuery; readonly where: Expression },
  { state, byId: changes, landed }: Pick<SourceState, 'byId'> & GapArrivals,
  ranges: readonly Range[],
): DecidedIds | undefined {
  const belongs = new Map<number, boolean>();
  const fields = wanted.groups.flat();
  for (const change of changes.values()) {
    if (change.id > state.upto) continue;
    if (fields.some(({ field }) => change.now[field] === undefined)) return undefined;
    if (fields.every(({ field }) => allValuesIn(change, field).size === 1)) continue;
    const isWanted = wanted.groups.every((group) =>
      group.some(({ field, texts }) => texts.has(change.now[field] ?? '')),
    );
    belongs.set(change.id, isWanted && isInRanges(ranges, change.id));
  }
  for (const row of landed) belongs.set(idOf(row), where.matches(row));
  return { state, belongs, changes };
}

/** Tells whether an id is judged without the indexes. */
export function isDecided({ state, belongs }: DecidedIds, id: number): boolean {
  return id > state.upto || belongs.has(id) || isInGap(state.holes, id);
}

/** Finds the stretches in which an index may hold ids that it is not asked about. */
export function uncertainRanges(
  { state, belongs, changes }: DecidedIds,
  { field, text }: IndexedValue,
): Range[] {
  const changed = [...belongs.keys()].filter((id) => {
    const change = changes.get(id);
    return !change || allValuesIn(change, field).has(text);
  });
  return [...state.holes, ...changed.map((id) => ({ from: id, to: id }))];
}

/** Tells whether an id is in one of some stretches. */
export function isInRanges(ranges: readonly Range[], id: number): boolean {
  return ranges.some(({ from, to }) => from <= id && id <= to);
}
