import { reporting } from '#lib/http/reporting.ts';
import { ProductsRow } from '#lib/reports/products/figures.ts';
import { productsReport, productsSheet } from '#lib/reports/products/products.ts';
import { ProductsQuery } from '#lib/reports/products/query.ts';

export const GET = reporting({
  right: 'company.report.products',
  query: ProductsQuery,
  rows: ProductsRow,
  sheet: productsSheet,
  isPaged: true,
  note:
    'Goods that were sold and returned, on the day of the sale and on that of the return. `quantity` is what ' +
    'was sold. Category and brand are those of the card of today. `share_percent` and `abc` are within a ' +
    'currency and the filtered products. More than five desks that are not all of their companies have up to ' +
    '31 days. An order by a figure has rows without it last, and rows alike by id.',
  run: ({ actor, query, locale }) => productsReport(actor, query, locale),
});
