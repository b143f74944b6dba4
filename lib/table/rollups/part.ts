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
 * A cube is a list of parts, each an item. Only the last one gets new cells, until it is full; a cell never
 * moves. So which part a cell belongs in follows from what the parts hold, and a fold that is done again puts
 * each into the same.
 */

const StoredCubePart = z.object({
  version: z.int(),
  fold: z.int(),
  taken: z.instanceof(Uint8Array),
  cells: z.instanceof(Uint8Array),
});

/** A part of a cube. */
export interface RollupPart {
  /** 0 if it was never written. */
  readonly version: number;
  /** The number of its last fold. */
  readonly fold: number;
  /** Ids that it holds and that were not folded in when that fold began. */
  readonly taken: ReadonlySet<number>;
  /** Packed, for most of those that are read get no facts. */
  readonly cells: Uint8Array<ArrayBuffer>;
  /** True if it is other than it was read. */
  readonly isChanged: boolean;
}

const NEW: RollupPart = {
  version: 0,
  fold: 0,
  taken: new Set(),
  cells: new Uint8Array(),
  isChanged: false,
};

/** An item is 400 KB at most; the rest is left to `taken` and keys. */
const MAX_BYTES = 320_000;

/** Bytes of a cell's number, an id, and of a sum of amounts, at most. */
const NUMBER_BYTES = 5;
const SUM_BYTES = 10;

/** Tells how many cells make a part full: none is larger than an item, whatever its sums come to. */
export function mostCellsOf({ numbers, sums }: CellForm): number {
  return Math.floor(MAX_BYTES / (numbers * NUMBER_BYTES + sums * SUM_BYTES));
}

/** Tells whether a part gets no new cells. */
export function isFull({ cells }: RollupPart, form: CellForm): boolean {
  return isCellsAtLeast(mostCellsOf(form), cells, form);
}

/** Reads a part off its item; an empty one if there is none. */
export function partFrom(item: Item | undefined): RollupPart {
  if (!item) return NEW;
  const { version, fold, taken, cells } = StoredCubePart.parse(item);
  return { version, fold, taken: new Set(unpackIds(taken)), cells, isChanged: false };
}

/**
 * Makes the item of a part that a fold writes: of the ids that it holds, it names those that had not been
 * folded in before.
 */
export function itemOfPart({ version, taken, cells }: RollupPart, before: Progress): Item {
  const ahead = [...taken].filter((id) => !covers(before, id));
  return {
    version: version + 1,
    fold: before.fold + 1,
    taken: packIds(ahead.sort((a, b) => a - b)),
    cells,
  };
}

/** A part while facts come to it. */
interface Filling {
  readonly part: RollupPart;
  readonly cells: Map<string, RollupCell>;
  readonly taken: Set<number>;
  isChanged: boolean;
}

/**
 * Adds facts to the parts of a cube, but those that these hold already: to add them twice changes nothing.
 */
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

/** Finds the part that a cell is in, or the last one unless that is full. */
function placeOf(filling: readonly Filling[], name: string, max: number): Filling | undefined {
  const [found, last] = [filling.find(({ cells }) => cells.has(name)), filling.at(-1)];
  return found ?? (last && last.cells.size < max ? last : undefined);
}

function begin(filling: Filling[], form: CellForm): Filling {
  const next = fill(NEW, form);
  filling.push(next);
  return next;
}
