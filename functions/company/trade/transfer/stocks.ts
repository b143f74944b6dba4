import { endpoint } from '#lib/http/endpoint.ts';
import * as transfers from '#lib/trade/transfer/record.ts';

export const GET = endpoint({
  right: 'company.trade.transfer.stocks',
  orRight: 'company.trade.transfer.store',
  response: transfers.Destinations,
  note: 'All warehouses of the family: goods can be sent to any of them, accessible or not.',
  run: ({ actor }) => transfers.destinations(actor),
});
