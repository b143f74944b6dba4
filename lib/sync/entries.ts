import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import type { SyncType } from '#lib/records/sync-type.ts';
import { all } from '#lib/table/expression.ts';
import type { RecordHeader, RequestedRecord, SyncDefinition, Viewer } from './definition/definition.ts';
import { syncDefinitionOf } from './registry.ts';

/** A record in a sync. Part 4, 4.1. */
export interface SyncEntry {
  readonly type: SyncType;
  readonly id: number;
  /** Increases with every change of the shown record; never decreases. */
  readonly revision: number;
  readonly is_deleted: boolean;
  readonly record: object;
}

/** A requested record. */
export interface RequestedEntry extends RequestedRecord {
  readonly type: SyncType;
}

/** Header of a record in the caller's reach. */
export interface ReachableHeader {
  readonly copy: SyncDefinition;
  readonly head: RecordHeader;
}

/**
 * Reads records as the caller sees them, in their order; undefined for one that is missing, out of reach, or
 * being changed. Three round trips at most, two without lines.
 */
export async function readEntries(
  view: Viewer,
  requests: readonly RequestedEntry[],
): Promise<(SyncEntry | undefined)[]> {
  const found = await findInReach(view.actor, requests);
  const entries = await showEntries(
    view,
    found.filter((each) => each !== undefined),
  );
  const shown = entries.values();
  return found.map((each) => each && shown.next().value);
}

/** Finds the headers of records in the caller's reach, in their order. One round trip. */
export async function findInReach(
  actor: Staff,
  requests: readonly RequestedEntry[],
): Promise<(ReachableHeader | undefined)[]> {
  return byCopy(
    requests,
    ({ type }) => syncDefinitionOf(type),
    async (copy, requested) => {
      const [heads, further = []] = await Promise.all([
        copy.find(actor.tenant, requested),
        copy.further(actor)?.(),
      ]);
      const { matches } = all([...copy.reach(actor), ...further]);
      return heads.map((head) => (head && matches(head) ? { copy, head } : undefined));
    },
  );
}

const Deletion = z.object({ is_deleted: z.boolean().default(false) });

/** Shows records by their headers, in their order. */
export function showEntries(
  view: Viewer,
  found: readonly ReachableHeader[],
): Promise<(SyncEntry | undefined)[]> {
  return byCopy(
    found,
    ({ copy }) => copy,
    async (copy, few) => {
      const shown = await copy.show(
        few.map(({ head }) => head),
        view,
      );
      return few.map(({ head }, index): SyncEntry | undefined => {
        const each = shown[index];
        const { is_deleted } = Deletion.parse(head);
        return each && { type: copy.type, id: head.id, is_deleted, ...each };
      });
    },
  );
}

/** Processes items grouped by type, all types concurrently; returns results in the order of the items. */
async function byCopy<T, R>(
  things: readonly T[],
  copyIn: (thing: T) => SyncDefinition,
  work: (copy: SyncDefinition, things: readonly T[]) => Promise<readonly R[]>,
): Promise<(R | undefined)[]> {
  const places = [...things.entries()];
  const groups = [...Map.groupBy(places, ([, thing]) => copyIn(thing))];
  const answers = await Promise.all(
    groups.map(async ([copy, group]) => {
      const made = await work(
        copy,
        group.map(([, thing]) => thing),
      );
      return group.map(([place], index) => [place, made[index]] as const);
    }),
  );
  const byPlace = new Map(answers.flat());
  return things.map((_, place) => byPlace.get(place));
}
