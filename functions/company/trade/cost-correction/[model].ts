import { endpoint } from '#lib/http/endpoint.ts';
import * as corrections from '#lib/trade/cost-correction/correct.ts';
import { CostCorrectionEmbeds, CostCorrectionWithLines } from '#lib/trade/goods-receipt/cost-correction.ts';

export const GET = endpoint({
  right: 'company.trade.cost-correction.show',
  query: CostCorrectionEmbeds,
  response: CostCorrectionWithLines,
  run: ({ actor, id, query }) => corrections.get(actor, id, query),
});
