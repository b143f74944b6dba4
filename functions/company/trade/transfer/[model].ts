import { endpoint } from '#lib/http/endpoint.ts';
import * as transfers from '#lib/trade/transfer/record.ts';
import { StockTransferEmbeds, StockTransferWithLines } from '#lib/trade/transfer/record.ts';

export const GET = endpoint({
  right: 'company.trade.transfer.show',
  query: StockTransferEmbeds,
  response: StockTransferWithLines,
  note: 'Shows the `product` of the first 100 lines.',
  run: ({ actor, id, query }) => transfers.get(actor, id, query),
});
