import { endpoint } from '#lib/http/endpoint.ts';
import { FileContent } from '#lib/http/wire/response.ts';
import { comparisonSheet } from '#lib/trade/stocktake/report/sheets.ts';

export const GET = endpoint({
  right: 'company.trade.inventory.comparison-sheet',
  response: FileContent,
  run: ({ actor, id, locale }) => comparisonSheet(actor, id, locale),
});
