import { ZONE } from '#lib/values/time.ts';
import type { Item } from '../client.ts';
import { partition } from '../keys.ts';
import type { Source } from '../list-request.ts';
import type { Range } from '../ranges.ts';
import { idOf } from '../rows.ts';
import type { Change, Changes } from './changes.ts';
import { type News, newsOf, readHoles, readNews } from './news.ts';
import { endOfHoles, isInHole, MANY, newHoles, newState, openHoles, type State } from './state.ts';
import type { Place } from './value.ts';

/** So many ids to a fold: what it reads of them fits well into memory, and the more the fewer writes. */
const MOST_IDS = 16_000;

/** So many changes to a fold. */
const MOST_CHANGES = 500;

/** Indexes that were found wrong are built anew, but not over and over. */
const REBUILD_MS = 600_000;

/** Longer than anyone reads a list. */
const RETIRED_MS = 120_000;

/** Each time so many ids have been folded in, as many older ones are compared with their records. */
const AUDITED_IDS = 1000;

/** What was folded in so long ago is whole: whatever came late has come. */
const AUDIT_MS = 600_000;

/** Indexes that a fold changes. */
export interface Target {
  readonly place: Place;
  readonly fields: readonly string[];
  /** The last id they took in before. */
  readonly upto: number;
  /** Records that come to them. */
  readonly news: readonly News[];
  /** Records of which they should know all. */
  readonly audited: readonly News[];
  readonly changes: readonly Change[];
}

/** What a fold takes on. */
export interface Work {
  readonly targets: readonly Target[];
  readonly changes: readonly Change[];
  /** The state once it is done. */
  readonly after: State;
  readonly isMore: boolean;
}

/** The state a fold begins with: where indexes lack a field, or were found wrong, others are begun beside them. */
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

/** The indexes of a state that nobody reads any more, and that may go. */
export function erasable({ retired }: State, at: number) {
  return retired && at - retired.at >= RETIRED_MS ? retired : undefined;
}

/** Reads what a fold takes on. `last` is the last id given out. */
export async function workOf(
  source: Source,
  state: State,
  { byId }: Changes,
  last: number,
  at: number,
): Promise<Work> {
  const { next } = state;
  const fields = next ? next.fields : state.fields;
  const stretch = { from: state.upto + 1, to: Math.min(last, state.upto + MOST_IDS) };
  const rebuilt = next && { from: next.upto + 1, to: Math.min(state.upto, next.upto + MOST_IDS) };
  const audits = auditsOf(state, stretch);
  const read = (range: Range | undefined) => (range ? readNews(source, fields, range) : []);
  const [tail, built, items, fresh, old] = await Promise.all([
    read(stretch),
    read(rebuilt),
    readHoles(partition(source.type, source.home), state.holes),
    read(audits?.fresh),
    read(audits?.old),
  ]);
  const upto = stretch.to < last ? stretch.to : (tail.at(-1)?.id ?? state.upto);
  const landed = items.map((item: Item) => newsOf(fields, item));
  const changes = [...byId.values()].filter(({ id }) => id <= upto).slice(0, MOST_CHANGES);
  const isSwitched = rebuilt !== undefined && rebuilt.to === state.upto;
  const isFresh = audits !== undefined && (fresh.at(-1)?.created_at ?? at) < at - AUDIT_MS;
  const audited = [...(isFresh ? fresh : []), ...old].filter(
    ({ id }) => !byId.has(id) && !isInHole(state.holes, id),
  );
  const holes = [
    ...openHoles(state.holes, new Set(items.map(idOf)), at),
    ...newHoles({ from: state.upto + 1, to: upto }, tail, at),
  ];
  const current = { source, generation: state.generation };
  const targets: Target[] = [
    { place: current, fields: state.fields, upto: state.upto, news: [...landed, ...tail], audited, changes },
  ];
  if (next && rebuilt) {
    const reached = isSwitched ? upto : rebuilt.to;
    const come = [...landed.filter(({ id }) => id <= next.upto), ...built, ...(isSwitched ? tail : [])];
    targets.push({
      place: { source, generation: next.generation },
      fields: next.fields,
      upto: next.upto,
      news: come,
      audited: [],
      changes: changes.filter(({ id }) => id <= reached),
    });
  }
  const moved: State = {
    ...state,
    fold: state.fold + 1,
    upto,
    holes,
    ...(isFresh && audits && { audited: audits.fresh.to }),
    ...(audits && { patrolled: audits.old.to }),
    ...(next && rebuilt && { next: { ...next, upto: rebuilt.to } }),
  };
  const after = woken(isSwitched ? switched(moved, at) : moved, at);
  const isMore = stretch.to < last || changes.length === MOST_CHANGES || after.next !== undefined;
  return { targets, changes, after, isMore };
}

/** Tells whether a fold would change nothing. */
export function isIdle(before: State | undefined, { targets, changes, after }: Work): boolean {
  if (!before || after.next || after.generation !== before.generation) return false;
  if (before.retired && !after.retired) return false;
  const isQuiet = changes.length === 0 && targets.every(({ news }) => news.length === 0);
  return isQuiet && after.upto === before.upto && after.holes.length === before.holes.length;
}

/** The stretches of ids that are compared with their records: where the fold passes a thousand, and is no building. */
function auditsOf({ upto, audited, patrolled }: State, stretch: Range) {
  const isPassing = Math.floor(stretch.to / AUDITED_IDS) > Math.floor(upto / AUDITED_IDS);
  if (!isPassing || stretch.to - upto >= MANY) return undefined;
  const old = patrolled >= upto ? 0 : patrolled;
  const after = (id: number) => ({ from: id + 1, to: Math.min(upto, id + AUDITED_IDS) });
  return { fresh: after(audited), old: after(old) };
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

/** The state with a time to come back, where there is a reason to and nobody has been asked to. */
function woken(state: State, at: number): State {
  const reasons = [
    ...(state.holes.length > 0 ? [endOfHoles(state.holes)] : []),
    ...(state.retired ? [state.retired.at + RETIRED_MS] : []),
  ];
  if (reasons.length === 0 || state.wake_at > at) return state;
  return { ...state, wake_at: Math.max(at, Math.min(...reasons)) + 1000 };
}
