import { endpoint } from '#lib/http/endpoint.ts';
import { FileOrPage } from '#lib/http/wire/response.ts';
import { PrintQuery, printSale } from '#lib/trade/sale-documents/print.ts';

export const GET = endpoint({
  right: 'company.trade.sale.print',
  query: PrintQuery,
  response: FileOrPage,
  note: '`format=html` returns a page to print: a slip of 80 mm, or A4. Without it, a workbook of A4.',
  run: ({ actor, id, query, locale }) => printSale(actor, id, query, locale),
});
