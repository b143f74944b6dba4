import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import type { Key, Tenant } from '#lib/table/keys.ts';
import { NO_PROGRESS, Progress } from '#lib/table/projection/progress.ts';
import { ZONE } from '#lib/values/time.ts';
import type { CellForm } from './cell.ts';

/** The location of a rollup: its group, and its days. */
export interface RollupLocation {
  readonly group: string;
  readonly period: string;
}

/** A document's contribution to a cell of a rollup. It never changes once the document exists. */
export interface Fact extends RollupLocation {
  /** The document's id. */
  readonly id: number;
  readonly of: readonly number[];
  readonly sums: readonly (number | bigint)[];
}

/** A kind of rollups: its headers, and their contributions to cells. */
export interface RollupKind extends CellForm {
  /** The word in its keys; it never changes. */
  readonly name: string;
  /** A new number causes a rebuild, needed when the facts have changed. */
  readonly edition: number;
  /** The type of the headers. */
  readonly source: string;
  /** Attributes of headers, for their facts. */
  readonly only: readonly string[];
  /** New headers that justify an update: until then readers read them directly. */
  readonly worth: number;
  /** Headers in an update. */
  readonly max: number;
  /** Returns the facts of headers, in their order. May read items stored with them. */
  readonly factsOf: (tenant: Tenant, headers: readonly Item[]) => Promise<readonly Fact[]>;
}

/**
 * The usual size of an update: enough new headers to justify the writes for many desks, and the headers read
 * at once.
 */
export const DEFAULT_UPDATE_SIZE = { worth: 256, max: 4000 } as const;

/** The progress of a kind's rollups. A single item: writing it ends an update. */
export const RollupState = Progress.extend({
  /** A part of the rollup keys: a rebuild uses the next generation. */
  generation: z.int(),
  edition: z.int(),
  /** The time zone of the days. */
  zone: z.string(),
  /** Groups with rollups that are not on a page yet (`groups.ts`). */
  groups: z.array(z.string()),
  /** Number of pages of groups. */
  pages: z.int().default(0),
});

export type RollupState = Readonly<z.output<typeof RollupState>>;

/** Returns the state that starts a build of rollups, from the first id on. */
export function newRollupState(
  { edition }: RollupKind,
  before: Pick<RollupState, 'fold' | 'generation'> = { fold: 0, generation: 0 },
): RollupState {
  const { fold, generation } = before;
  const next = { fold: fold + 1, generation: generation + 1 };
  return { ...NO_PROGRESS, ...next, edition, zone: ZONE, groups: [], pages: 0 };
}

/** Returns true if rollups have the current facts, with days in the current time zone. */
export function isCurrentFor(kind: RollupKind, { edition, zone }: RollupState): boolean {
  return edition === kind.edition && zone === ZONE;
}

/** Returns the key of the state of a kind's rollups. */
export function rollupStateKey({ name }: RollupKind, tenant: Tenant): Key {
  return { pk: `cubes#${name}#${tenant}`, sk: 'state' };
}

/** Returns the partition of a group's rollups. */
export function groupPartition(
  { name }: RollupKind,
  tenant: Tenant,
  generation: number,
  group: string,
): string {
  return `cube#${name}#${tenant}#${generation}#${group}`;
}
