import { HistoricPrice, list, PriceList } from '#lib/catalog/product/price-history.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.product.product.prices',
  query: PriceList,
  rows: HistoricPrice,
  note:
    'Each change of the price or of its minimum, the newest first, by whom and by which document. They are kept ' +
    'for good; one before the latest may follow its change by some seconds. The first has nulls for what was.',
  run: ({ actor, id, query }) => list(actor, id, query),
});
