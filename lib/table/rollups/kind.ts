import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import type { Key, Tenant } from '#lib/table/keys.ts';
import { NO_PROGRESS, Progress } from '#lib/table/projection/progress.ts';
import { ZONE } from '#lib/values/time.ts';
import type { CellForm } from './cell.ts';

/** The place of a cube: what its group is of, and the days that are in it. */
export interface RollupLocation {
  readonly group: string;
  readonly period: string;
}

/** What a document adds to a cell of a cube. It never changes once the document is there. */
export interface Fact extends RollupLocation {
  /** The document's id. */
  readonly id: number;
  readonly of: readonly number[];
  readonly sums: readonly (number | bigint)[];
}

/** What is folded into cubes: headers of a type, and what each of them adds to which cell. */
export interface RollupKind extends CellForm {
  /** The word in its keys, for ever. */
  readonly name: string;
  /** Another number has cubes built anew, once their facts are other ones. */
  readonly edition: number;
  /** The type of the headers. */
  readonly source: string;
  /** Attributes of headers, for their facts. */
  readonly only: readonly string[];
  /** So many new headers are worth a fold: each reader reads those that are not folded in yet. */
  readonly worth: number;
  /** Headers in a fold. */
  readonly max: number;
  /** Makes the facts of headers, in their order. It may read what lies beside them. */
  readonly factsOf: (tenant: Tenant, headers: readonly Item[]) => Promise<readonly Fact[]>;
}

/**
 * The size of a usual fold: so many new headers are worth what is written for each of many desks, and so many
 * are read at once.
 */
export const DEFAULT_UPDATE_SIZE = { worth: 256, max: 4000 } as const;

/** How far the cubes of a kind have come. One item: whoever changes it ends a fold. */
export const RollupState = Progress.extend({
  /** A part of the keys of the cubes: those that are built anew have another. */
  generation: z.int(),
  edition: z.int(),
  /** The time zone of the days. */
  zone: z.string(),
  /** Groups of which there are cubes: those that are on no page yet (`groups.ts`). */
  groups: z.array(z.string()),
  /** How many pages of groups there are. */
  pages: z.int().default(0),
});

export type RollupState = Readonly<z.output<typeof RollupState>>;

/** Makes the state of cubes that are to be built, from the first id on. */
export function newRollupState(
  { edition }: RollupKind,
  before: Pick<RollupState, 'fold' | 'generation'> = { fold: 0, generation: 0 },
): RollupState {
  const { fold, generation } = before;
  const next = { fold: fold + 1, generation: generation + 1 };
  return { ...NO_PROGRESS, ...next, edition, zone: ZONE, groups: [], pages: 0 };
}

/** Tells whether cubes have the facts of now, by days in the zone of now. */
export function isCurrentFor(kind: RollupKind, { edition, zone }: RollupState): boolean {
  return edition === kind.edition && zone === ZONE;
}

/** Gives the key of how far the cubes of a kind have come. */
export function rollupStateKey({ name }: RollupKind, tenant: Tenant): Key {
  return { pk: `cubes#${name}#${tenant}`, sk: 'state' };
}

/** Names the partition of the cubes of a group. */
export function groupPartition(
  { name }: RollupKind,
  tenant: Tenant,
  generation: number,
  group: string,
): string {
  return `cube#${name}#${tenant}#${generation}#${group}`;
}
