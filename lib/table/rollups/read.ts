import { getRawItems } from '#lib/table/items.ts';
import { partition, sequencesKey, type Tenant } from '#lib/table/keys.ts';
import { covers, readGapHeaders } from '#lib/table/projection/progress.ts';
import { idOf, readRange } from '#lib/table/read/ranges.ts';
import { lastIdIn } from '#lib/table/sequences.ts';
import { serviceUnavailable } from '#lib/values/api-error.ts';
import { type RollupCell, unpackCells } from './cell.ts';
import { readGroups } from './groups.ts';
import {
  type Fact,
  isCurrentFor,
  newRollupState,
  type RollupKind,
  type RollupLocation,
  RollupState,
  rollupStateKey,
} from './kind.ts';
import { addFacts, type RollupPart } from './part.ts';
import { readParts } from './store.ts';

/** How often a reader begins again if folds have ended meanwhile. */
const ATTEMPTS = 5;

/** Headers that are not folded in yet and that a reader still reads. */
const MAX_BEHIND = 20_000;

/** Ids given out while a reader reads: those that come meanwhile are likely to be among them. */
const SLACK = 500;

/** A choice of cubes. */
export interface RollupSelection {
  readonly isGroup: (group: string) => boolean;
  readonly periods: readonly string[];
}

/** A cube with its cells, as they are now. */
export interface Rollup extends RollupLocation {
  /** Its cells, packed, for who adds up very many of them. */
  readonly packed: readonly Uint8Array[];
  readonly cells: readonly RollupCell[];
}

/**
 * Reads cubes with all that was written up to now: what is folded in, and the facts of the headers that are
 * not. Two round trips: the state, beside what tells what is asked; then the cubes beside these headers. One
 * more in between if there are more than a thousand groups. 503 if too many are to be folded yet.
 */
export async function readRollups(
  kind: RollupKind,
  tenant: Tenant,
  asked: RollupSelection | Promise<RollupSelection>,
): Promise<Rollup[]> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const cubes = await attemptCubes(kind, tenant, asked);
    if (cubes) return cubes;
  }
  throw serviceUnavailable();
}

async function attemptCubes(
  kind: RollupKind,
  tenant: Tenant,
  asked: RollupSelection | Promise<RollupSelection>,
) {
  const [[item, counters], { isGroup, periods }] = await Promise.all([
    getRawItems([rollupStateKey(kind, tenant), sequencesKey(tenant)]),
    asked,
  ]);
  const found = item && RollupState.parse(item);
  const state = found && isCurrentFor(kind, found) ? found : newRollupState(kind);
  const last = lastIdIn(counters, kind.source);
  if (last - state.upto > MAX_BEHIND) throw serviceUnavailable();
  const cubes = { kind, tenant, generation: state.generation };
  const groups = (await readGroups(cubes, state)).filter(isGroup);
  const places = groups.flatMap((group) => periods.map((period): RollupLocation => ({ group, period })));
  const [parts, { ids, facts }] = await Promise.all([
    readParts(cubes, places),
    readBehind(kind, tenant, state, last),
  ]);
  if (parts.flat().some((part) => isAhead(part, state, ids))) return undefined;
  const isPeriod = new Set(periods);
  const wanted = facts.filter(({ group, period }) => isGroup(group) && isPeriod.has(period));
  return mergeCubes(kind, places, parts, wanted);
}

/** Reads the facts of the headers that are not folded in, or have come into holes. */
async function readBehind(kind: RollupKind, tenant: Tenant, { upto, holes }: RollupState, last: number) {
  const pk = partition(kind.source, tenant);
  const range = { from: upto + 1, to: Math.max(last, upto) + SLACK };
  const [landed, rows] = await Promise.all([
    readGapHeaders(pk, holes),
    readRange(pk, range, { where: [], only: kind.only }),
  ]);
  const headers = [...landed, ...rows];
  return { ids: new Set(headers.map(idOf)), facts: await kind.factsOf(tenant, headers) };
}

/** Tells whether a part holds what this reader has not seen: of a later fold, or come since. */
function isAhead({ fold, taken }: RollupPart, state: RollupState, seen: ReadonlySet<number>): boolean {
  if (fold > state.fold + 1) return true;
  return [...taken].some((id) => !covers(state, id) && !seen.has(id));
}

function mergeCubes(
  kind: RollupKind,
  places: readonly RollupLocation[],
  found: readonly (readonly RollupPart[])[],
  facts: readonly Fact[],
): Rollup[] {
  const nameOf = ({ group, period }: RollupLocation) => `${group} ${period}`;
  const behind = Map.groupBy(facts, nameOf);
  const known = new Set(places.map(nameOf));
  const fresh = [...behind].filter(([name]) => !known.has(name)).flatMap(([, [first]]) => first ?? []);
  return [...places, ...fresh].map(({ group, period }, each) => {
    const parts = addFacts(found[each] ?? [], behind.get(nameOf({ group, period })) ?? [], kind);
    const packed = parts.map(({ cells }) => cells);
    return {
      group,
      period,
      packed,
      // Unpacked only for who asks: a year of goods is a million of them.
      get cells() {
        return packed.flatMap((each) => unpackCells(each, kind));
      },
    };
  });
}
