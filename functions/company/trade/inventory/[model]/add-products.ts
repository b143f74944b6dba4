import { endpoint } from '#lib/http/endpoint.ts';
import { CountedProductsInput, recordCounts } from '#lib/trade/stocktake/counting/record-counts.ts';

export const PATCH = endpoint({
  right: 'company.trade.inventory.add-products',
  idempotent: true,
  body: CountedProductsInput,
  note:
    'A position that was counted before is counted anew. What is above the books costs as the newest goods that the ' +
    'company and its branches ever received of the product.',
  run: ({ actor, id, body, at, saveResponse }) =>
    recordCounts(actor, id, body, { at, saveResponse: () => saveResponse(undefined) }),
});
