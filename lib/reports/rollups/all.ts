import type { RollupKind } from '#lib/table/rollups/kind.ts';
import { canceledCashFlowRollups, cashFlowRollups } from './cash-flow.ts';
import { costCorrectionRollups } from './cost-corrections.ts';
import {
  returnedGoodsRollups,
  returnedServicesRollups,
  soldGoodsRollups,
  soldServicesRollups,
} from './goods.ts';
import { returnsRollups } from './returns.ts';
import { salesRollups } from './sales.ts';
import { tenderRollups } from './tenders.ts';
import { returnedVatRollups, soldVatRollups } from './vat.ts';

/** All kinds of rollups: the worker updates each when headers of its type arrive. */
export const ALL_ROLLUPS: readonly RollupKind[] = [
  salesRollups,
  returnsRollups,
  cashFlowRollups,
  canceledCashFlowRollups,
  soldGoodsRollups,
  returnedGoodsRollups,
  costCorrectionRollups,
  tenderRollups,
  soldServicesRollups,
  returnedServicesRollups,
  soldVatRollups,
  returnedVatRollups,
];
