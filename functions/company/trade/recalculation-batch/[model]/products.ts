import { RepricingLine } from '#lib/catalog/product/repricing/record.ts';
import { listing } from '#lib/http/listing.ts';
import { RepricingLineList } from '#lib/trade/repricing/query.ts';
import { listLines } from '#lib/trade/repricing/repricing.ts';

export const GET = listing({
  right: 'company.trade.recalculation-batch.products',
  query: RepricingLineList,
  rows: RepricingLine,
  note: 'All lines of a batch, each with its card, in the order of the body.',
  run: ({ actor, id, query }) => listLines(actor, id, query),
});
