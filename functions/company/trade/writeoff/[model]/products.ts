import { listing } from '#lib/http/listing.ts';
import { DocumentLineList, listLines } from '#lib/trade/document/show.ts';
import { WriteOffLine, writeOffs } from '#lib/trade/write-off/record.ts';

export const GET = listing({
  right: 'company.trade.writeoff.products',
  query: DocumentLineList,
  rows: WriteOffLine,
  note: 'All lines of a write-off, each with its `product`, in their order: that of a count may have 10 000.',
  run: ({ actor, id, query }) => listLines(writeOffs, actor, id, query),
});
