import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import { packIds, unpackIds } from '#lib/table/list-index/ids.ts';
import { covers, type Progress } from '#lib/table/projection/progress.ts';
import {
  type CellForm,
  isCellsAtLeast,
  nameOfCell,
  packCells,
  type RollupCell,
  unpackCells,
} from './cell.ts';
import type { Fact } from './kind.ts';

/*
 * A rollup is a list of parts, each an item. Only the last one gets new cells, until it is full; a cell never
 * moves. So the part of a cell follows from the contents of the parts, and a repeated update puts each cell
 * into the same part.
 */

const StoredPart = z.object({
  version: z.int(),
  fold: z.int(),
  taken: z.instanceof(Uint8Array),
  cells: z.instanceof(Uint8Array),
});

/** A part of a rollup. */
export interface RollupPart {
  /** 0 if not stored yet. */
  readonly version: number;
  /** The number of its last update. */
  readonly fold: number;
  /** Ids in it that were not covered at the start of that update. */
  readonly taken: ReadonlySet<number>;
  /** Packed, since most parts that are read get no facts. */
  readonly cells: Uint8Array<ArrayBuffer>;
  /** True if changed since it was read. */
  readonly isChanged: boolean;
}

const NEW: RollupPart = {
  version: 0,
  fold: 0,
  taken: new Set(),
  cells: new Uint8Array(),
  isChanged: false,
};

/** DynamoDB's limit is 400 KB; the rest is for `taken` and keys. */
const MAX_BYTES = 320_000;

/** Maximum bytes of a dimension, which is an id, and of a sum of amounts. */
const NUMBER_BYTES = 5;
const SUM_BYTES = 10;

/** Returns the number of cells in a full part: with any sums it fits into an item. */
export function mostCellsOf({ numbers, sums }: CellForm): number {
  return Math.floor(MAX_BYTES / (numbers * NUMBER_BYTES + sums * SUM_BYTES));
}

/** Returns true if a part accepts no new cells. */
export function isFull({ cells }: RollupPart, form: CellForm): boolean {
  return isCellsAtLeast(mostCellsOf(form), cells, form);
}

/** Parses a part from its item; an empty one if the item is missing. */
export function partFrom(item: Item | undefined): RollupPart {
  if (!item) return NEW;
  const { version, fold, taken, cells } = StoredPart.parse(item);
  return { version, fold, taken: new Set(unpackIds(taken)), cells, isChanged: false };
}

/** Returns the item of a part for an update: `taken` has those of its ids that were not covered before. */
export function itemOfPart({ version, taken, cells }: RollupPart, before: Progress): Item {
  const ahead = [...taken].filter((id) => !covers(before, id));
  return {
    version: version + 1,
    fold: before.fold + 1,
    taken: packIds(ahead.sort((a, b) => a - b)),
    cells,
  };
}

/** A part during an update. */
interface Filling {
  readonly part: RollupPart;
  readonly cells: Map<string, RollupCell>;
  readonly taken: Set<number>;
  isChanged: boolean;
}

/** Adds facts to the parts of a rollup, except those that the parts already contain. Idempotent. */
export function addFacts(parts: readonly RollupPart[], facts: readonly Fact[], form: CellForm): RollupPart[] {
  if (facts.length === 0) return [...parts];
  const max = mostCellsOf(form);
  const filling = parts.map((part) => fill(part, form));
  for (const fact of facts) {
    const name = nameOfCell(fact);
    const place = placeOf(filling, name, max) ?? begin(filling, form);
    const { part, cells, taken } = place;
    if (part.taken.has(fact.id)) continue;
    const before = cells.get(name)?.sums ?? [];
    const sums = fact.sums.map((sum, index) => BigInt(sum) + (before[index] ?? 0n));
    cells.set(name, { of: fact.of, sums });
    taken.add(fact.id);
    place.isChanged = true;
  }
  return filling.map(({ part, cells, taken, isChanged }) =>
    isChanged ? { ...part, cells: packCells(cells.values()), taken, isChanged } : part,
  );
}

function fill(part: RollupPart, form: CellForm): Filling {
  const cells = unpackCells(part.cells, form).map((cell) => [nameOfCell(cell), cell] as const);
  return { part, cells: new Map(cells), taken: new Set(part.taken), isChanged: false };
}

/** Returns the part that contains a cell, or the last one unless it is full. */
function placeOf(filling: readonly Filling[], name: string, max: number): Filling | undefined {
  const [found, last] = [filling.find(({ cells }) => cells.has(name)), filling.at(-1)];
  return found ?? (last && last.cells.size < max ? last : undefined);
}

function begin(filling: Filling[], form: CellForm): Filling {
  const next = fill(NEW, form);
  filling.push(next);
  return next;
}
