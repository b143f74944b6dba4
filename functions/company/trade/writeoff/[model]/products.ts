import { listing } from '#lib/http/listing.ts';
import { DocumentLineList, listLines } from '#lib/trade/document/show.ts';
import { WriteOffLine, writeOffs } from '#lib/trade/write-off/record.ts';

export const GET = listing({
  right: 'company.trade.writeoff.products',
  query: DocumentLineList,
  rows: WriteOffLine,
  note: 'All lines of the write-off in order, each with its `product`; that of a stocktake may have 10 000.',
  run: ({ actor, id, query }) => listLines(writeOffs, actor, id, query),
});
