import * as rates from '#lib/cash/currency-rate.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.cashbox.currency-rate.index',
  query: rates.RateList,
  rows: rates.ListedRate,
  run: ({ actor, query }) => rates.list(actor, query),
});
