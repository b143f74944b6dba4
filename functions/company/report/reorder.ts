import { reporting } from '#lib/http/reporting.ts';
import { reorderReport } from '#lib/reports/reorder/reorder.ts';
import { ReorderQuery, ReorderRow, reorderSheet } from '#lib/reports/reorder/row.ts';

export const GET = reporting({
  right: 'company.report.reorder',
  query: ReorderQuery,
  rows: ReorderRow,
  sheet: reorderSheet,
  isPaged: true,
  note:
    'Products to order over the selected warehouses, by id. `sold_quantity` is that of the last `days` whole ' +
    'days less returned goods; bundles count by their parts. `order_quantity` is `min_quantity` plus the sales of ' +
    '`cover_days` days at that speed, less free and coming goods. Without `all=true` there are only products to ' +
    'order. A category includes its subcategories.',
  run: ({ actor, query, at }) => reorderReport(actor, query, at),
});
