import type { RollupKind } from '#lib/table/rollups/kind.ts';
import { canceledCashFlowRollups, cashFlowRollups } from './cash-flow.ts';
import { returnedGoodsRollups, soldGoodsRollups } from './goods.ts';
import { returnsRollups } from './returns.ts';
import { salesRollups } from './sales.ts';

/** All kinds of cubes: the worker folds each whenever headers of its type have come. */
export const ALL_ROLLUPS: readonly RollupKind[] = [
  salesRollups,
  returnsRollups,
  cashFlowRollups,
  canceledCashFlowRollups,
  soldGoodsRollups,
  returnedGoodsRollups,
];
