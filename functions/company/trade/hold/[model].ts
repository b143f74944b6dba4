import { endpoint } from '#lib/http/endpoint.ts';
import { get, HoldEmbeds, HoldWithLines } from '#lib/trade/hold/record.ts';

export const GET = endpoint({
  right: 'company.trade.hold.show',
  query: HoldEmbeds,
  response: HoldWithLines,
  note: 'The first 100 lines include `product`.',
  run: ({ actor, id, query }) => get(actor, id, query),
});
