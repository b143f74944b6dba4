import { setTimeout as pause } from 'node:timers/promises';
import type { SyncType } from '#lib/records/sync-type.ts';
import { RecordHeader, type Viewer } from './definition/definition.ts';
import { type ReachableHeader, type SyncEntry, showEntries } from './entries.ts';
import { syncDefinitionOf } from './registry.ts';

/** Records read per step. */
const STEP = 100;

/** Lines read at once, some megabytes: a document with more is read by itself. */
const MAX_LINES = 5_000;

/** Records locked by a pending change are missing from a read; retries, and the pause between them. */
const TRIES = 20;
const APART_MS = 250;

/** Records of a type, deleted ones included, and the id after which more follow; undefined at the end. */
interface Step {
  readonly entries: readonly SyncEntry[];
  readonly reached: number | undefined;
}

/**
 * Reads the records of a type after an id in their sync form, with all their lines. Throws if an existing
 * record can't be shown: none is ever skipped.
 */
export async function readAllAfter(asker: Viewer, type: SyncType, after: number): Promise<Step> {
  const copy = syncDefinitionOf(type);
  const view = { ...asker, isWhole: true } as const;
  const request = { where: [], after, max: STEP, looked: STEP };
  const { rows, reached } = await copy.walk(view.actor.tenant, request);
  const found = rows.map((row): ReachableHeader => ({ copy, head: RecordHeader.parse(row) }));
  const entries: SyncEntry[] = [];
  for (const some of stretchesOf(found)) entries.push(...(await showAll(view, some)));
  return {
    entries: entries.map((each) => ({ ...each, record: recordIn(copy.form.parse(each.record)) })),
    reached,
  };
}

/** Parts headers, in their order, so that the lines of each part are few enough. */
function stretchesOf(found: readonly ReachableHeader[]): ReachableHeader[][] {
  const parts: ReachableHeader[][] = [];
  let left = 0;
  for (const each of found) {
    const count = Number(each.head['products_count'] ?? 0);
    const isNext = parts.length === 0 || count > left;
    if (isNext) parts.push([each]);
    else parts.at(-1)?.push(each);
    left = (isNext ? MAX_LINES : left) - count;
  }
  return parts;
}

async function showAll(view: Viewer, found: readonly ReachableHeader[]): Promise<SyncEntry[]> {
  const shown = new Map<number, SyncEntry>();
  for (let tries = 1; ; tries++) {
    const left = found.filter(({ head }) => !shown.has(head.id));
    if (left.length === 0) return found.flatMap(({ head }) => shown.get(head.id) ?? []);
    if (tries > TRIES) throw new Error(`${left[0]?.copy.type} ${left[0]?.head.id} can't be shown`);
    if (tries > 1) await pause(APART_MS);
    for (const entry of await showEntries(view, left)) if (entry) shown.set(entry.id, entry);
  }
}

function recordIn(record: unknown): object {
  if (typeof record === 'object' && record !== null) return record;
  throw new Error('A record is an object');
}
