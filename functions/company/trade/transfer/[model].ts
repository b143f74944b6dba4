import { endpoint } from '#lib/http/endpoint.ts';
import * as transfers from '#lib/trade/transfer/record.ts';
import { StockTransferEmbeds, StockTransferWithLines } from '#lib/trade/transfer/record.ts';

export const GET = endpoint({
  right: 'company.trade.transfer.show',
  query: StockTransferEmbeds,
  response: StockTransferWithLines,
  note: 'The first 100 lines include `product`.',
  run: ({ actor, id, query }) => transfers.get(actor, id, query),
});
