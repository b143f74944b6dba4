import { HistoricPrice, list, PriceList } from '#lib/catalog/product/price-history.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.product.product.prices',
  query: PriceList,
  rows: HistoricPrice,
  note:
    'Changes of the price or minimum price, newest first, with user and document. Kept indefinitely; an entry ' +
    'other than the latest may appear some seconds after its change. The first entry has null for previous ' +
    'values.',
  run: ({ actor, id, query }) => list(actor, id, query),
});
