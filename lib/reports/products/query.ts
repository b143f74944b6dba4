import * as z from 'zod';
import { MAX_PAGE_SIZE, pageParameters } from '#lib/records/query/filters.ts';
import { DaysFilter, Ids, reportParameters } from '#lib/reports/frame/query.ts';

/** Figures to sort rows by. */
const FIGURES = [
  'quantity',
  'returned_quantity',
  'revenue',
  'cost',
  'profit',
  'margin_percent',
  'share_percent',
] as const;

const Sort = z.enum([...FIGURES, ...FIGURES.map((figure) => `-${figure}` as const)]);

/** Query string of the report. */
export const ProductsQuery = z.strictObject({
  ...reportParameters(['product', 'category', 'brand', 'service'], {
    date: DaysFilter,
    company_id: Ids,
    cashbox_id: Ids,
    stock_id: Ids,
    category_id: Ids,
  }),
  sort: z
    .array(Sort)
    .max(1)
    .default(['-revenue'])
    .transform(([sort = '-revenue']) => ({
      field: FIGURES.find((figure) => sort === figure || sort === `-${figure}`) ?? 'revenue',
      descending: sort.startsWith('-'),
    })),
  ...pageParameters(MAX_PAGE_SIZE),
});

/** Filters of the report. */
export type ProductsFilter = z.output<typeof ProductsQuery>['filter'];

/** Groupings of the report. */
export type ProductsGroup = z.output<typeof ProductsQuery>['group'];

/** Order of the report's rows. */
export type ProductsSort = z.output<typeof ProductsQuery>['sort'];
