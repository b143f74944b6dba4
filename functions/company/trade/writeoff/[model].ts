import { endpoint } from '#lib/http/endpoint.ts';
import { WriteOffEmbeds, WriteOffWithLines } from '#lib/trade/write-off/record.ts';
import * as writeOffs from '#lib/trade/write-off/write-off.ts';

export const GET = endpoint({
  right: 'company.trade.writeoff.show',
  query: WriteOffEmbeds,
  answers: WriteOffWithLines,
  note: 'Shows up to 1000 lines, the first 100 with their `product`.',
  run: ({ actor, id, query }) => writeOffs.get(actor, id, query),
});
