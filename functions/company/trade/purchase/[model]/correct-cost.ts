import { endpoint } from '#lib/http/endpoint.ts';
import { correctCosts } from '#lib/trade/cost-correction/correct.ts';
import { CostCorrectionInput, CostCorrectionWithLines } from '#lib/trade/goods-receipt/cost-correction.ts';

export const PATCH = endpoint({
  right: 'company.trade.purchase.correct-cost',
  idempotent: true,
  body: CostCorrectionInput,
  response: CostCorrectionWithLines,
  note:
    'Goods of the lines that are in stock at the cost of the line get the new one, in all warehouses; sales, ' +
    'returns and write-offs keep theirs, and the correction has the difference. 400 while some of the goods ' +
    'are on hold or in transit, and if a write-off returned some to the supplier.',
  run: ({ actor, id, body, at, saveResponse }) => correctCosts(actor, { ...body, id }, at, saveResponse),
});
