import { RepricingLine, repricings } from '#lib/catalog/repricing/record.ts';
import { listing } from '#lib/http/listing.ts';
import { DocumentLineList, listLines } from '#lib/trade/document/show.ts';

export const GET = listing({
  right: 'company.trade.recalculation-batch.products',
  query: DocumentLineList,
  rows: RepricingLine,
  note: 'All lines of the batch with their product cards, in the order of the request.',
  run: ({ actor, id, query }) => listLines({ ...repricings, line: RepricingLine }, actor, id, query),
});
