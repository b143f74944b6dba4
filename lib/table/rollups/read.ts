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

/** Attempts of a reader, if updates end during its read. */
const ATTEMPTS = 5;

/** Headers not covered yet that a reader still reads. */
const MAX_BEHIND = 20_000;

/** Margin for ids allocated during a read: later ids are likely within it. */
const SLACK = 500;

/** A selection of rollups. */
export interface RollupSelection {
  readonly isGroup: (group: string) => boolean;
  readonly periods: readonly string[];
}

/** A rollup with its current cells. */
export interface Rollup extends RollupLocation {
  /** Its packed cells, for callers that add up very many of them. */
  readonly packed: readonly Uint8Array[];
  readonly cells: readonly RollupCell[];
}

/**
 * Reads rollups with everything written so far: the stored cells, and the facts of headers not covered yet.
 * Two round trips: the state, in parallel with the promised selection; then the rollups, in parallel with
 * these headers. One more in between if there are more than a thousand groups. 503 if too many headers are
 * not covered yet.
 */
export async function readRollups(
  kind: RollupKind,
  tenant: Tenant,
  selection: RollupSelection | Promise<RollupSelection>,
): Promise<Rollup[]> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const rollups = await attemptRollups(kind, tenant, selection);
    if (rollups) return rollups;
  }
  throw serviceUnavailable();
}

async function attemptRollups(
  kind: RollupKind,
  tenant: Tenant,
  selection: RollupSelection | Promise<RollupSelection>,
) {
  const [[item, counters], { isGroup, periods }] = await Promise.all([
    getRawItems([rollupStateKey(kind, tenant), sequencesKey(tenant)]),
    selection,
  ]);
  const found = item && RollupState.parse(item);
  const state = found && isCurrentFor(kind, found) ? found : newRollupState(kind);
  const last = lastIdIn(counters, kind.source);
  if (last - state.upto > MAX_BEHIND) throw serviceUnavailable();
  const rollups = { kind, tenant, generation: state.generation };
  const groups = (await readGroups(rollups, state)).filter(isGroup);
  const places = groups.flatMap((group) => periods.map((period): RollupLocation => ({ group, period })));
  const [parts, { ids, facts }] = await Promise.all([
    readParts(rollups, places),
    readBehind(kind, tenant, state, last),
  ]);
  if (parts.flat().some((part) => isAhead(part, state, ids))) return undefined;
  const isPeriod = new Set(periods);
  const selected = facts.filter(({ group, period }) => isGroup(group) && isPeriod.has(period));
  return mergeRollups(kind, places, parts, selected);
}

/** Reads the facts of headers that are not covered, or have arrived in gaps. */
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

/**
 * Returns true if a part contains facts that this reader has not seen: of a later update, or newer than its
 * read.
 */
function isAhead({ fold, taken }: RollupPart, state: RollupState, seen: ReadonlySet<number>): boolean {
  if (fold > state.fold + 1) return true;
  return [...taken].some((id) => !covers(state, id) && !seen.has(id));
}

function mergeRollups(
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
      // Unpacked only on demand: a year of goods is a million cells.
      get cells() {
        return packed.flatMap((each) => unpackCells(each, kind));
      },
    };
  });
}
