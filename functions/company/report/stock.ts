import { reporting } from '#lib/http/reporting.ts';
import { StockQuery, StockRow, stockReport, stockSheet } from '#lib/reports/stock/stock.ts';

export const GET = reporting({
  right: 'company.report.stock',
  query: StockQuery,
  rows: StockRow,
  sheet: stockSheet,
  note:
    '`quantity` is what stands on the shelf, what holds have set aside included. Goods on their way are the ' +
    "sender's. `costs` and `sale_values` are of the shelf and of what is on its way, `sale_values` at the " +
    'prices of now.',
  run: ({ actor, query, at, locale }) => stockReport(actor, query, { at, locale }),
});
