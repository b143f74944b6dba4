import { partition } from '#lib/table/keys.ts';
import type { ChangeEntry, SourceState } from '#lib/table/list-index/changes.ts';
import { type News, newsOf, readHoles, readNews } from '#lib/table/list-index/news.ts';
import {
  endOfHoles,
  isInHole,
  MANY,
  newHoles,
  newState,
  openHoles,
  type State,
} from '#lib/table/list-index/state.ts';
import type { IndexPlace } from '#lib/table/list-index/value.ts';
import type { Source } from '#lib/table/rows/request.ts';
import { ZONE } from '#lib/values/time.ts';
import { type Audit, readAudit } from './audit.ts';

/** Ids in a fold: their records fit well into memory, and more ids to a fold mean fewer writes. */
const MOST_IDS = 16_000;

/** Changes in a fold. */
const MOST_CHANGES = 500;

/** How often indexes that are found wrong may be built anew. */
const REBUILD_MS = 600_000;

/** Longer than anyone reads a list. */
const RETIRED_MS = 120_000;

/** Indexes that a fold changes. */
export interface FoldTarget {
  readonly place: IndexPlace;
  readonly fields: readonly string[];
  /** The last id in them before. */
  readonly upto: number;
  /** Records that come to them. */
  readonly news: readonly News[];
  /** Records that they should know completely. */
  readonly audited: readonly News[];
  readonly changes: readonly ChangeEntry[];
}

/** The work of one fold. */
export interface Work {
  readonly targets: readonly FoldTarget[];
  readonly changes: readonly ChangeEntry[];
  /** The state once it is done. */
  readonly after: State;
  readonly isMore: boolean;
}

/**
 * Makes the state that a fold begins with: if indexes lack a field, or were found wrong, others are begun
 * beside them.
 */
export function begun(
  state: State | undefined,
  { indexes = [] }: Source,
  at: number,
  isWrong: boolean,
): State {
  if (!state) return newState(indexes, at);
  const isLacking = state.zone !== ZONE || indexes.some((field) => !state.fields.includes(field));
  const isDue = isWrong && at - state.built_at >= REBUILD_MS;
  if (state.next || state.retired || !(isLacking || isDue)) return state;
  const fields = [...new Set([...indexes, ...state.fields])];
  return { ...state, next: { generation: state.generation + 1, fields, upto: 0 } };
}

/** Finds the indexes that nobody reads any more, so that they may go. */
export function erasable({ retired }: State, at: number) {
  return retired && at - retired.at >= RETIRED_MS ? retired : undefined;
}

/** Records of a source that a fold has read. */
interface Readings {
  readonly upto: number;
  /** True if there are more after `upto`. */
  readonly isMore: boolean;
  /** Records after those that are folded in. */
  readonly tail: readonly News[];
  /** Records that have come into holes. */
  readonly landed: readonly News[];
  /** Records for indexes that are built anew, up to an id. */
  readonly built: readonly News[];
  readonly builtTo: number;
  readonly audit: Audit | undefined;
}

/** Reads what a fold takes on. `last` is the last id given out. */
export async function workOf(
  source: Source,
  { state, byId }: Pick<SourceState, 'byId'> & { readonly state: State },
  last: number,
  at: number,
): Promise<Work> {
  const readings = await readAll(source, state, last, at);
  const { upto, landed, tail } = readings;
  const changes = [...byId.values()].filter(({ id }) => id <= upto).slice(0, MOST_CHANGES);
  const audited = (readings.audit?.rows ?? []).filter(
    ({ id }) => !byId.has(id) && !isInHole(state.holes, id),
  );
  const current: FoldTarget = {
    place: { source, generation: state.generation },
    fields: state.fields,
    upto: state.upto,
    news: [...landed, ...tail],
    audited,
    changes,
  };
  const next = nextTarget(source, state, readings, changes);
  const after = stateAfter(state, readings, at);
  const isMore = readings.isMore || changes.length === MOST_CHANGES || after.next !== undefined;
  return { targets: next ? [current, next] : [current], changes, after, isMore };
}

async function readAll(source: Source, state: State, last: number, at: number): Promise<Readings> {
  const fields = state.next?.fields ?? state.fields;
  const stretch = { from: state.upto + 1, to: Math.min(last, state.upto + MOST_IDS) };
  const reached = state.next?.upto ?? state.upto;
  const rebuilt = { from: reached + 1, to: Math.min(state.upto, reached + MOST_IDS) };
  const [tail, built, items, audit] = await Promise.all([
    readNews(source, fields, stretch),
    readNews(source, fields, rebuilt),
    readHoles(partition(source.type, source.home), state.holes),
    readAudit(source, state, stretch, at),
  ]);
  const isMore = stretch.to < last;
  return {
    upto: isMore ? stretch.to : (tail.at(-1)?.id ?? state.upto),
    isMore,
    tail,
    landed: items.map((item) => newsOf(fields, item)),
    built,
    builtTo: rebuilt.to,
    audit,
  };
}

/**
 * Finds the indexes that are being built anew; with the last of the records they catch up with those in use.
 */
function nextTarget(
  source: Source,
  { next, upto }: State,
  { upto: reached, landed, tail, built, builtTo }: Readings,
  changes: readonly ChangeEntry[],
): FoldTarget | undefined {
  if (!next) return undefined;
  const isWhole = builtTo === upto;
  const end = isWhole ? reached : builtTo;
  return {
    place: { source, generation: next.generation },
    fields: next.fields,
    upto: next.upto,
    news: [...landed.filter(({ id }) => id <= next.upto), ...built, ...(isWhole ? tail : [])],
    audited: [],
    changes: changes.filter(({ id }) => id <= end),
  };
}

function stateAfter(state: State, { upto, tail, landed, builtTo, audit }: Readings, at: number): State {
  const holes = [
    ...openHoles(state.holes, new Set(landed.map(({ id }) => id)), at),
    ...newHoles({ from: state.upto + 1, to: upto }, tail, at),
  ];
  // What is built at once needs no second look, and would keep the audit from what is new.
  const seen = upto - state.upto >= MANY ? { audited: upto } : audit?.reached;
  const moved = { ...state, ...seen, fold: state.fold + 1, upto, holes };
  if (!state.next) return woken(moved, at);
  const isWhole = builtTo === state.upto;
  return woken(isWhole ? switched(moved, at) : { ...moved, next: { ...state.next, upto: builtTo } }, at);
}

/** Tells whether a fold would change nothing. */
export function isIdle(before: State | undefined, { targets, changes, after }: Work): boolean {
  if (!before || after.next || after.generation !== before.generation) return false;
  if (before.retired && !after.retired) return false;
  const isQuiet = changes.length === 0 && targets.every(({ news }) => news.length === 0);
  return isQuiet && after.upto === before.upto && after.holes.length === before.holes.length;
}

function switched({ next, ...state }: State, at: number): State {
  if (!next) return state;
  const { generation, fields } = state;
  return {
    ...state,
    generation: next.generation,
    fields: next.fields,
    zone: ZONE,
    built_at: at,
    retired: { generation, fields, at },
  };
}

/** Adds a time to come back to the state, if there is a reason to and nobody has been asked to. */
function woken(state: State, at: number): State {
  const reasons = [
    ...(state.holes.length > 0 ? [endOfHoles(state.holes)] : []),
    ...(state.retired ? [state.retired.at + RETIRED_MS] : []),
  ];
  if (reasons.length === 0 || state.wake_at > at) return state;
  return { ...state, wake_at: Math.max(at, Math.min(...reasons)) + 1000 };
}
