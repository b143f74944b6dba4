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

/**
 * A list request as a query of the indexes: days, and groups of fields with allowed values. A record matches
 * a group by one of its fields, and must match all groups.
 */
export interface IndexQuery {
  readonly groups: readonly (readonly IndexQueryField[])[];
  /** Ranges of days of instants; empty without a filter by day. */
  readonly days: readonly DayRange[];
}

export interface IndexQueryField {
  readonly field: string;
  readonly texts: ReadonlySet<string>;
}

/** Translates a list request into an index query; undefined if the indexes can't answer it. */
export function indexQueryOf(source: Source, { where, sort }: ListRequest): IndexQuery | undefined {
  const { indexes = [] } = source;
  if (sort.field !== 'id') return undefined;
  const fields = new Map<string, ReadonlySet<string>>();
  const groups: (readonly IndexQueryField[])[] = [];
  const days: DayRange[] = [];
  for (const expression of where) {
    const fieldValues = queryFieldOf(expression, indexes);
    const group = fieldValues ? undefined : queryGroupOf(expression, indexes);
    const period = dayRangeOf(expression, instantsOf(source));
    if (fieldValues) fields.set(fieldValues.field, common(fields.get(fieldValues.field), fieldValues.texts));
    else if (group) groups.push(group);
    else if (period) days.push(period);
    else return undefined;
  }
  return { groups: [...[...fields].map(([field, texts]) => [{ field, texts }]), ...groups], days };
}

/** An alternative to a field, without an index: only a record itself shows whether it exists. */
const ID = 'id';

/** Returns the ids that a query names. */
export function idsNamedBy({ groups }: IndexQuery): number[] {
  const texts = groups.flat().flatMap((each) => (each.field === ID ? [...each.texts] : []));
  return [...new Set(texts.map(Number))];
}

/** Returns true if the query is of at most one field, of which a record has one value. */
export function isSingleField({ groups: [first = [], ...others] }: IndexQuery): boolean {
  return first.filter(isIndexed).length <= 1 && others.length === 0;
}

function isIndexed({ field }: IndexQueryField): boolean {
  return field !== ID;
}

/** Returns true if the current indexes of a source can answer a query. */
export function canAnswer({ groups, days }: IndexQuery, state: IndexState, zone: string): boolean {
  if (days.length > 0 && state.zone !== zone) return false;
  const instants = instantsOf(state);
  return (
    groups
      .flat()
      .filter(isIndexed)
      .every(({ field }) => state.fields.includes(field)) &&
    days.every(({ field }) => instants.includes(field))
  );
}

/** Returns the values whose indexes a group needs. */
export function valuesOf(group: readonly IndexQueryField[]): IndexedValue[] {
  return group.filter(isIndexed).flatMap(({ field, texts }) => [...texts].map((text) => ({ field, text })));
}

function queryGroupOf(
  { either = [] }: Expression,
  indexes: readonly string[],
): IndexQueryField[] | undefined {
  const group = either.flatMap((each) => queryFieldOf(each, indexes) ?? []);
  return group.length > 0 && group.length === either.length ? group : undefined;
}

function queryFieldOf(
  { paths, values }: Expression,
  indexes: readonly string[],
): IndexQueryField | undefined {
  const [field = ''] = paths;
  if (!values || !(field === ID || indexes.includes(field))) return undefined;
  const texts = values.map(textOf);
  // A value without a text has no index.
  if (texts.includes(null)) return undefined;
  return { field, texts: new Set(texts.filter((text) => text !== null)) };
}

function common(a: ReadonlySet<string> | undefined, b: ReadonlySet<string>): ReadonlySet<string> {
  return a ? new Set([...a].filter((text) => b.has(text))) : b;
}

/** Ids up to `upto` that are decided without the indexes: whether each belongs to the list. */
export interface DecidedIds {
  readonly state: IndexState;
  readonly belongs: ReadonlyMap<number, boolean>;
  readonly changes: SourceState['byId'];
}

/**
 * The state of the indexes, records that have arrived in their gaps, and those of the ids that the query
 * names.
 */
export interface DecidingRecords {
  readonly state: IndexState;
  readonly landed: readonly Item[];
  readonly named: readonly Item[];
}

/**
 * Decides ids with a change of a queried field by that change, and ids that have arrived in gaps or that the
 * query names by their records. Undefined if a change lacks a queried field.
 */
export function decideIds(
  { query, where }: { readonly query: IndexQuery; readonly where: Expression },
  { state, byId: changes, landed, named }: Pick<SourceState, 'byId'> & DecidingRecords,
  ranges: readonly Range[],
): DecidedIds | undefined {
  const belongs = new Map<number, boolean>();
  const fields = query.groups.flat().filter(isIndexed);
  for (const change of changes.values()) {
    if (change.id > state.upto) continue;
    if (fields.some(({ field }) => change.now[field] === undefined)) return undefined;
    if (fields.every(({ field }) => allValuesIn(change, field).size === 1)) continue;
    const isMatch = query.groups.every((group) =>
      group.some(({ field, texts }) => texts.has(change.now[field] ?? '')),
    );
    belongs.set(change.id, isMatch && isInRanges(ranges, change.id));
  }
  for (const id of idsNamedBy(query)) if (id <= state.upto) belongs.set(id, false);
  for (const row of [...landed, ...named])
    if (idOf(row) <= state.upto) belongs.set(idOf(row), where.matches(row));
  return { state, belongs, changes };
}

/** Returns true if an id is decided without the indexes. */
export function isDecided({ state, belongs }: DecidedIds, id: number): boolean {
  return id > state.upto || belongs.has(id) || isInGap(state.holes, id);
}

/** Returns the ranges in which an index may contain ids that are decided without it. */
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

/** Returns true if an id is in one of the ranges. */
export function isInRanges(ranges: readonly Range[], id: number): boolean {
  return ranges.some(({ from, to }) => from <= id && id <= to);
}
