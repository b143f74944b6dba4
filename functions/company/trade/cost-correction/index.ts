import { listing } from '#lib/http/listing.ts';
import * as corrections from '#lib/trade/cost-correction/correct.ts';
import { costCorrectionSheet } from '#lib/trade/cost-correction/sheet.ts';
import { LINES_NOTE } from '#lib/trade/document/response-size.ts';
import { CostCorrectionList, ListedCostCorrection } from '#lib/trade/goods-receipt/cost-correction.ts';

export const GET = listing({
  right: 'company.trade.cost-correction.index',
  query: CostCorrectionList,
  rows: ListedCostCorrection,
  sheet: costCorrectionSheet,
  note: LINES_NOTE,
  run: ({ actor, query }) => corrections.list(actor, query),
});
