import { reporting } from '#lib/http/reporting.ts';
import { StockQuery, StockRow, stockReport, stockSheet } from '#lib/reports/stock/stock.ts';
import { COST_RIGHT } from '#lib/values/cost.ts';

export const GET = reporting({
  right: 'company.report.stock',
  andRight: COST_RIGHT,
  query: StockQuery,
  rows: StockRow,
  sheet: stockSheet,
  note:
    '`quantity` is the stock on hand, including goods on hold. Goods in transit count for the sender. `costs` ' +
    'and `sale_values` cover stock on hand and in transit; `sale_values` at current prices.',
  run: ({ actor, query, at, locale }) => stockReport(actor, query, { at, locale }),
});
