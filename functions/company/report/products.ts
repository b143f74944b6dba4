import { reporting } from '#lib/http/reporting.ts';
import { ProductsRow } from '#lib/reports/products/figures.ts';
import { productsReport, productsSheet } from '#lib/reports/products/products.ts';
import { ProductsQuery } from '#lib/reports/products/query.ts';
import { COST_RIGHT } from '#lib/values/cost.ts';

export const GET = reporting({
  right: 'company.report.products',
  andRight: COST_RIGHT,
  query: ProductsQuery,
  rows: ProductsRow,
  sheet: productsSheet,
  isPaged: true,
  note:
    'Goods sold by day of sale and returned by day of return. `quantity` is the sold quantity. Category and ' +
    'brand are the current ones of the product. `share_percent` and `abc` are computed per currency over the ' +
    'filtered products. With more than five desks that are not all desks of their companies, a period is ' +
    'limited to 31 days. Sorting by a figure puts rows without it last; ties are sorted by id.',
  run: ({ actor, query, locale }) => productsReport(actor, query, locale),
});
