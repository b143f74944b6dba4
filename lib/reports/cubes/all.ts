import type { RollupKind } from '#lib/table/rollups/kind.ts';
import { returnedGoodsCubes, soldGoodsCubes } from './goods.ts';
import { movedBackCubes, movedCubes } from './moved.ts';
import { returnedCubes } from './returned.ts';
import { soldCubes } from './sold.ts';

/** All kinds of cubes: the worker folds each whenever headers of its type have come. */
export const ALL_CUBES: readonly RollupKind[] = [
  soldCubes,
  returnedCubes,
  movedCubes,
  movedBackCubes,
  soldGoodsCubes,
  returnedGoodsCubes,
];
