import { listing } from '#lib/http/listing.ts';
import { stockLevelSheet } from '#lib/reports/stock/level-sheet.ts';
import { list, StockLevelList, StockLevelRow } from '#lib/stock/stock-level-row.ts';

export const GET = listing({
  right: 'company.stock.product.index',
  query: StockLevelList,
  rows: StockLevelRow,
  sheet: stockLevelSheet,
  note:
    'The workbook has the free and the held quantity of each stock level, and the cost of both by currency; ' +
    'the cost is empty without `company.cost.show`. It is not imported: goods receipts change stock.',
  run: ({ actor, query }) => list(actor, query),
});
