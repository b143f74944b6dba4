import { endpoint } from '#lib/http/endpoint.ts';
import { CountedProductsInput, recordCounts } from '#lib/trade/stocktake/counting/record-counts.ts';

export const PATCH = endpoint({
  right: 'company.trade.inventory.add-products',
  idempotent: true,
  body: CountedProductsInput,
  note:
    'A counted position is counted again. Surplus is valued at the cost of the newest goods of the product ' +
    'ever received by the company and its branches.',
  run: ({ actor, id, body, at, saveResponse }) =>
    recordCounts(actor, id, body, { at, saveResponse: () => saveResponse(undefined) }),
});
