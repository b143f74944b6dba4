import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import type { SyncType } from '#lib/records/sync-type.ts';
import { all } from '#lib/table/expression.ts';
import type { CopiedNoun, Head, View, WantedRecord } from './copy/copy.ts';
import { copyFor } from './registry.ts';

/** A record as copies have it. Part 4, 4.1. */
export interface CopiedEntry {
  readonly type: SyncType;
  readonly id: number;
  /** Grows with every change of anything that the record shows, and never goes back. */
  readonly revision: number;
  readonly is_deleted: boolean;
  readonly record: object;
}

/** A record that is asked for. */
export interface Asked extends WantedRecord {
  readonly type: SyncType;
}

/** The header of a record in the reach of a caller. */
export interface FoundHead {
  readonly copy: CopiedNoun;
  readonly head: Head;
}

/**
 * Reads records as a caller sees them, each in its place; undefined for one that is not there, is out of
 * reach, or changes just now. Three round trips at most, two without lines.
 */
export async function readEntries(view: View, asked: readonly Asked[]): Promise<(CopiedEntry | undefined)[]> {
  const found = await findInReach(view.actor, asked);
  const entries = await showEntries(
    view,
    found.filter((each) => each !== undefined),
  );
  const shown = entries.values();
  return found.map((each) => each && shown.next().value);
}

/** Finds the headers of records in the reach of a caller, each in its place. One round trip. */
export async function findInReach(actor: Staff, asked: readonly Asked[]): Promise<(FoundHead | undefined)[]> {
  return byCopy(
    asked,
    ({ type }) => copyFor(type),
    async (copy, wanted) => {
      const [heads, further = []] = await Promise.all([
        copy.find(actor.home, wanted),
        copy.further(actor)?.(),
      ]);
      const { matches } = all([...copy.reach(actor), ...further]);
      return heads.map((head) => (head && matches(head) ? { copy, head } : undefined));
    },
  );
}

const Deletion = z.object({ is_deleted: z.boolean().default(false) });

/** Shows records by their headers, each in its place. */
export function showEntries(view: View, found: readonly FoundHead[]): Promise<(CopiedEntry | undefined)[]> {
  return byCopy(
    found,
    ({ copy }) => copy,
    async (copy, few) => {
      const shown = await copy.show(
        few.map(({ head }) => head),
        view,
      );
      return few.map(({ head }, index): CopiedEntry | undefined => {
        const each = shown[index];
        const { is_deleted } = Deletion.parse(head);
        return each && { type: copy.type, id: head.id, is_deleted, ...each };
      });
    },
  );
}

/** Works on things by the type that they are of, all types at once; answers in the order of the things. */
async function byCopy<T, R>(
  things: readonly T[],
  copyIn: (thing: T) => CopiedNoun,
  work: (copy: CopiedNoun, things: readonly T[]) => Promise<readonly R[]>,
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
