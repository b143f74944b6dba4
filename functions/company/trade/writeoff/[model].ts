import { endpoint } from '#lib/http/endpoint.ts';
import { WriteOffEmbeds, WriteOffInput, WriteOffWithLines } from '#lib/trade/write-off/record.ts';
import * as writeOffs from '#lib/trade/write-off/write-off.ts';

export const GET = endpoint({
  right: 'company.trade.writeoff.show',
  query: WriteOffEmbeds,
  response: WriteOffWithLines,
  note: 'Includes the first 1 000 lines, the first 100 with `product`; `{model}/products` pages through all.',
  run: ({ actor, id, query }) => writeOffs.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.trade.writeoff.update',
  strict: true,
  body: WriteOffInput,
  response: WriteOffWithLines,
  note: 'A line with an `id` keeps it; lines left out are removed.',
  run: ({ actor, id, body, at }) => writeOffs.edit(actor, id, body, at),
});
