import { endpoint } from '#lib/http/endpoint.ts';
import { get, HoldEmbeds, HoldWithLines } from '#lib/trade/hold/record.ts';

export const GET = endpoint({
  right: 'company.trade.hold.show',
  query: HoldEmbeds,
  response: HoldWithLines,
  note: 'Shows the `product` of the first 100 lines.',
  run: ({ actor, id, query }) => get(actor, id, query),
});
