import { endpoint } from '#lib/http/endpoint.ts';
import { FileContent } from '#lib/http/wire/response.ts';
import { printLines } from '#lib/trade/sale-documents/print.ts';

export const GET = endpoint({
  right: 'company.trade.sale.print',
  response: FileContent,
  run: ({ actor, id, locale }) => printLines(actor, id, locale),
});
